import { type SocketAddress, socketAddressOption } from '../dns-filter/address.ts';

export interface DnsOptions {
  rest: string[];
  system: boolean;
  restore: boolean;
  listen: SocketAddress | null;
  /** Used instead of the computer's own DNS servers. */
  upstream: SocketAddress[] | null;
}

/**
 * Reads `--system`, `--restore-names`, `--names 127.0.0.1:5300` and `--upstream 192.0.2.1,192.0.2.2:5353`. Throws an error whose message is
 * for the user.
 */
export function dnsOptions(args: string[]): DnsOptions {
  const rest: string[] = [];
  const options: DnsOptions = { rest, system: false, restore: false, listen: null, upstream: null };
  for (let index = 0; index < args.length; index++) {
    const [name = '', inlineValue] = (args[index] ?? '').split('=', 2);
    const value = () => inlineValue ?? args[++index] ?? '';
    if (name === '--system') options.system = true;
    else if (name === '--restore-names') options.restore = true;
    else if (name === '--names') options.listen = socketAddressOption(value());
    else if (name === '--upstream') options.upstream = value().split(',').map(socketAddressOption);
    else rest.push(args[index] ?? '');
  }
  return options;
}
