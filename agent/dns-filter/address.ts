import { isIP } from 'node:net';

export interface SocketAddress {
  address: string;
  port: number;
}

/** Reads `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`; null for other text. */
export function parseSocketAddress(text: string): SocketAddress | null {
  const [, bracketed, unbracketed, port] = /^(?:\[([^\]]+)\]|([^[\]:]+|.*:.*:.*?))(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const bareAddress = isIP(text.trim().split('%')[0] ?? '') ? text.trim() : null;
  const address = bareAddress ?? bracketed ?? unbracketed ?? '';
  const portNumber = bareAddress ? 53 : Number(port ?? 53);
  return isIP(address.split('%')[0] ?? '') && portNumber > 0 && portNumber < 65536 ? { address, port: portNumber } : null;
}

/** Removes the filter's own address from the DNS servers: a query sent there would loop. */
export function withoutOurselves(servers: SocketAddress[], ownAddress: SocketAddress): SocketAddress[] {
  return servers.filter(
    ({ address, port }) => port !== ownAddress.port || (address !== ownAddress.address && !/^(0\.0\.0\.0|::)$/.test(address)),
  );
}

export function socketAddressOption(text: string): SocketAddress {
  const socketAddress = parseSocketAddress(text);
  if (!socketAddress) throw new Error(`${text || 'Nothing'} is no address like 127.0.0.1:5300.`);
  return socketAddress;
}
