import { type SocketAddress, socketAddressOption } from '../dns-filter/address.ts';

/** What the command line says of names; `rest`: everything else that it says. */
export interface DnsOptions {
  rest: string[];
  /** This computer's own way to look names up may be changed. */
  system: boolean;
  /** Names are put back as they were, and nothing else is done. */
  restore: boolean;
  /** Where names are answered, when it is said. */
  own: SocketAddress | null;
  /** Who is asked instead of those that the computer asks. */
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
