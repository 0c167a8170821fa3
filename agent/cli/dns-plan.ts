import type { DnsFilterPlan } from '../dns-filter/dns-filter.ts';
import { dnsMessages } from '../dns-filter/messages.ts';
import { ownCommand, type StartedAs } from '../lib/own-program.ts';
import type { DnsOptions } from './dns-options.ts';

/** Where the DNS filter listens: on port 53 for the whole computer, elsewhere for whoever asks there, or not at all. */
export function dnsFilterPlan(
  { own, system, upstream }: DnsOptions,
  program: StartedAs,
  print: (sentence: string) => void,
): DnsFilterPlan | null {
  if (!own && !system) {
    print(dnsMessages.byHand);
    return null;
  }
  return {
    command: ownCommand(program, 'site-filter'),
    own: own ?? { address: '127.0.0.1', port: 53 },
    page: system ? { address: '127.0.0.2', port: 80 } : null,
    system,
    upstream,
  };
}
