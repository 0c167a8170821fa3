import type { ProtectiveResolver } from '@porchlight/contract/protective-resolvers.ts';
import type { FilterClock } from './clock.ts';
import { rcodes } from './dns/codes.ts';
import type { Query } from './dns/query.ts';
import { isLocalName } from './local-names.ts';
import { type ProtectiveService, protectiveService } from './protective-service.ts';
import type { TlsOptions } from './tls-dial.ts';
import type { Upstream } from './upstream.ts';

export interface ChosenUpstreamDeps {
  network: Upstream;
  tls: TlsOptions;
  clock: FilterClock;
  /** Called when other servers answer from now on, so that cached answers of the former ones must go. */
  onSwitched: () => void;
  /** Called when the service cannot be reached while the network's servers answer, and when it is back. */
  onReachable: (host: string, reachable: boolean) => void;
}

export interface ChosenUpstream {
  ask: Upstream['ask'];
  choose(resolver: ProtectiveResolver | null): void;
  networkChanged(): void;
  close(): void;
}

/**
 * Looks up names at the protective resolver that the account holder chose (P12.1), and at the network's own servers while that is away, when none is
 * chosen, and for local names. When the service blocks a name it answers NXDOMAIN or the address 0.0.0.0 or ::. The user gets that answer
 * as it is and nothing is reported: a name that does not exist gets the same answer, and it is the service's verdict, not ours.
 */
export function chosenUpstream({ network, tls, clock, onSwitched, onReachable }: ChosenUpstreamDeps): ChosenUpstream {
  let chosen: ProtectiveResolver | null = null;
  let service: ProtectiveService | null = null;
  let reportedAway = false;
  const close = () => {
    service?.close();
    service = null;
  };
  const askService = async (askedService: ProtectiveService, packet: Uint8Array, query: Query) => {
    const answered = await askedService.ask(packet, query);
    if (answered) return answered;
    const fallback = await network.ask(packet, query);
    // Where the network has no answer either, such as a router without a line (SERVFAIL), the computer is offline, and the service is not at
    // fault.
    const isOnline = fallback !== null && fallback.reply.code !== rcodes.failed;
    if (isOnline && chosen && askedService === service && askedService.isAway() && !reportedAway) {
      reportedAway = true;
      onReachable(chosen.host, false);
    }
    return fallback;
  };
  return {
    ask: (packet, query) => (service && !isLocalName(query.name) ? askService(service, packet, query) : network.ask(packet, query)),
    choose(resolver) {
      if (JSON.stringify(resolver) === JSON.stringify(chosen)) return;
      close();
      [chosen, reportedAway] = [resolver, false];
      const onBack = () => {
        // Names that the service blocks may have been looked up elsewhere meanwhile.
        onSwitched();
        if (resolver && reportedAway) onReachable(resolver.host, true);
        reportedAway = false;
      };
      service = resolver && protectiveService({ service: resolver, tls, clock, onBack });
      onSwitched();
    },
    networkChanged: () => service?.networkChanged(),
    close,
  };
}
