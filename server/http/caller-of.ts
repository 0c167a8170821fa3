import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** A caller whose address no trusted proxy wrote in a form that can be read; the rest is the caller key of that proxy. */
const unreadable = 'unreadable behind ';

/** Whether the address of this caller is not known, so that it may be any place (P18.3). `caller`: from `addressOf` or `callerOf`. */
export const isUnreadable = (caller: string): boolean => caller.startsWith(unreadable);

/**
 * The address of a call's caller: of the connection, or as the outermost of the trusted proxies wrote it, without port, brackets and zone.
 * The caller wrote the header's entries left of that one. What cannot be read becomes a caller of its own for each proxy.
 * `report`: gets such a header as it came.
 */
export function addressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trust_proxy: number,
  report?: (header: string) => void,
): string {
  const connection = socket.remoteAddress ?? '';
  if (trust_proxy === 0) return connection;
  const header = String(headers['x-forwarded-for'] ?? '');
  const hops = header
    .split(',')
    .flatMap((text) => text.trim() || [])
    .reverse()
    .slice(0, trust_proxy);
  const written = hops.at(-1);
  if (written === undefined) return connection;
  const address = readAddress(written);
  if (address !== null) return address;
  report?.(header);
  const proxy = hops.at(-2);
  return unreadable + callerOf((proxy === undefined ? null : readAddress(proxy)) ?? connection);
}

/** Of `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1`, `[2001:db8::1]:443` and the same in quotation marks; null for anything else. */
function readAddress(text: string): string | null {
  const written = text.replace(/^"(.*)"$/, '$1');
  const [, inBrackets, withPort] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(written) ?? [];
  const address = inBrackets ?? withPort ?? written;
  return isIP(address.split('%')[0] ?? '') === 0 ? null : address;
}

/**
 * The key by which attempts are counted. IPv6: the /64 network of the subscriber; IPv4: the address, also when written as
 * `::ffff:192.0.2.1`.
 */
export function callerOf(ip: string): string {
  const address = ip.split('%')[0] ?? ip;
  if (!isIPv6(address)) return ip;
  // The URL parser normalizes an IPv6 address.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [leftGroups, rightGroups] = [before, after ?? ''].map((text) => (text ? text.split(':') : [])) as [string[], string[]];
  const groups =
    after === undefined
      ? leftGroups
      : [...leftGroups, ...Array<string>(8 - leftGroups.length - rightGroups.length).fill('0'), ...rightGroups];
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    return groups
      .slice(6)
      .map((group) => Number.parseInt(group, 16))
      .map((n) => `${n >> 8}.${n & 255}`)
      .join('.');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}

// A combined list would also check an IPv4 address in its IPv6 form, which `::/64` contains.
const localNetworks = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  localNetworks.ipv4.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  localNetworks.ipv6.addSubnet(network, bits, 'ipv6');
}

/** The address of a proxy or of the local network does not identify a caller. */
export function isFarCaller(caller: string): boolean {
  const address = caller.split('/')[0] ?? caller;
  if (isIP(address) === 0) return false;
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return !localNetworks[family].check(address, family);
}

/**
 * The network by which two callers count as being in one place (P10.2, P18.3): the caller itself, or, where the server is in the same private
 * network, that network. Null where nothing is known: of an unreadable address, and of the server's own computer.
 */
export function networkOf(caller: string): string | null {
  const address = caller.split('/')[0] ?? caller;
  if (isIP(address) === 0 || caller === '0:0:0:0::/64' || address.startsWith('127.')) return null;
  if (isIPv6(address) || isFarCaller(caller)) return caller;
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}
