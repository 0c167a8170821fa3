import { isIP } from 'node:net';

/** The address and port of a DNS server. */
export interface SocketAddress {
  address: string;
  port: number;
}

/** Reads `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`; null for what is none of them. */
export function parseSocketAddress(text: string): SocketAddress | null {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^[\]:]+|.*:.*:.*?))(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const whole = isIP(text.trim().split('%')[0] ?? '') ? text.trim() : null;
  const address = whole ?? bracketed ?? plain ?? '';
  const number = whole ? 53 : Number(port ?? 53);
  return isIP(address.split('%')[0] ?? '') && number > 0 && number < 65536 ? { address, port: number } : null;
}

/** The servers without this one: a query sent to ourselves would loop. */
export function withoutOurselves(servers: SocketAddress[], own: SocketAddress): SocketAddress[] {
  return servers.filter(({ address, port }) => port !== own.port || (address !== own.address && !/^(0\.0\.0\.0|::)$/.test(address)));
}

/** The value of an option. Throws a sentence for the user. */
export function socketAddressOption(text: string): SocketAddress {
  const place = parseSocketAddress(text);
  if (!place) throw new Error(`${text || 'Nothing'} is no address like 127.0.0.1:5300.`);
  return place;
}
