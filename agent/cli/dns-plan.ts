import type { DnsFilterPlan } from '../dns-filter/dns-filter.ts';
import { dnsMessages } from '../dns-filter/messages.ts';
import { ownCommand, type StartedAs } from '../lib/own-program.ts';
import type { DnsOptions } from './dns-options.ts';

/**
 * Where the DNS filter listens: port 53 for the whole computer with `--system`, or the given address; otherwise null, and there is no
 * filter.
 */
export function dnsFilterPlan(
  { listen, system, upstream }: DnsOptions,
  program: StartedAs,
  print: (sentence: string) => void,
): DnsFilterPlan | null {
  if (!listen && !system) {
    print(dnsMessages.byHand);
    return null;
  }
  return {
    command: ownCommand(program, 'site-filter'),
    own: listen ?? { address: '127.0.0.1', port: 53 },
    page: system ? { address: '127.0.0.2', port: 80 } : null,
    system,
    upstream,
  };
}
