import type { DnsFilterPlan } from '../dns-filter/dns-filter.ts';
import { dnsMessages } from '../dns-filter/messages.ts';
import { ownCommand, type StartedAs } from '../lib/own-program.ts';
import type { DnsOptions } from './dns-options.ts';

/** `system`: AGENT_SYSTEM. `auto` is what `npm start` and `npm run agent` set: the whole computer, where this user may. */
export interface ByHand {
  system: string | undefined;
  /** Whether this user may change the DNS settings of the computer. */
  isAdministrator: boolean;
  /** What to type to start the same as an administrator. */
  command: string;
}

/**
 * Where the DNS filter listens: port 53 for the whole computer, or the given address; otherwise null, and there is no filter, which is
 * printed with the reason.
 */
export function dnsFilterPlan(
  { listen, system, upstream }: DnsOptions,
  program: StartedAs,
  print: (sentence: string) => void,
  byHand: ByHand,
): DnsFilterPlan | null {
  const isAutomatic = byHand.system === 'auto' && listen === null;
  const whole = system || byHand.system === 'on' || (isAutomatic && byHand.isAdministrator);
  if (!listen && !whole) {
    print(isAutomatic ? dnsMessages.notAdministrator(byHand.command) : dnsMessages.byHand);
    return null;
  }
  return {
    command: ownCommand(program, 'site-filter'),
    own: listen ?? { address: '127.0.0.1', port: 53 },
    page: whole ? { address: '127.0.0.2', port: 80 } : null,
    system: whole,
    upstream,
  };
}
