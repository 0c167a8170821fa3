import { type SocketAddress, socketAddressOption } from '../dns-filter/address.ts';

/** The options of the command line about DNS; `rest`: all others. */
export interface DnsOptions {
  rest: string[];
  /** The system's resolver may be changed. */
  system: boolean;
  /** The resolver is restored, and nothing else is done. */
  restore: boolean;
  /** Where the DNS filter listens. */
  own: SocketAddress | null;
  /** The upstreams to use instead of the computer's own. */
  upstream: SocketAddress[] | null;
}

/**
 * Takes `--system`, `--restore-names`, `--names 127.0.0.1:5300` and `--upstream 192.0.2.1,192.0.2.2:5353` out of the command line. Throws
 * a sentence for the person.
 */
export function dnsOptions(args: string[]): DnsOptions {
  const rest: string[] = [];
  const options: DnsOptions = { rest, system: false, restore: false, own: null, upstream: null };
  for (let at = 0; at < args.length; at++) {
    const [name = '', joined] = (args[at] ?? '').split('=', 2);
    const value = () => joined ?? args[++at] ?? '';
    if (name === '--system') options.system = true;
    else if (name === '--restore-names') options.restore = true;
    else if (name === '--names') options.own = socketAddressOption(value());
    else if (name === '--upstream') options.upstream = value().split(',').map(socketAddressOption);
    else rest.push(args[at] ?? '');
  }
  return options;
}
