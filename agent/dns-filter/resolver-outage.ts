import type { ProtectiveResolver } from '@porchlight/contract/protective-resolvers.ts';
import { dnsMessages } from './messages.ts';

/** Milliseconds; a shorter outage needs no attention, because names are looked up meanwhile. */
const REPORT_AFTER_MS = 5 * 60_000;

export interface ResolverOutage {
  /** Call when `resolver` is chosen, also when it was before. */
  use(resolver: ProtectiveResolver | null): void;
  note(host: string, reachable: boolean): void;
  /** Call when the filter's process starts again: it has not tried the resolver yet. */
  reset(): void;
  problem(): string | null;
}

/** Measures how long the chosen protective resolver could not be reached. `up`: milliseconds that do not go back. */
export function resolverOutage(up: () => number): ResolverOutage {
  let chosen: ProtectiveResolver | null = null;
  let awaySince: number | null = null;
  return {
    use(resolver) {
      if (resolver?.host !== chosen?.host) awaySince = null;
      chosen = resolver;
    },
    note(host, reachable) {
      // A message about the former choice may still be on its way.
      if (host === chosen?.host) awaySince = reachable ? null : (awaySince ?? up());
    },
    reset() {
      awaySince = null;
    },
    problem: () => (chosen && awaySince !== null && up() - awaySince >= REPORT_AFTER_MS ? dnsMessages.resolverAway(chosen.name) : null),
  };
}
