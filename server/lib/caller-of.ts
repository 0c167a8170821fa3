import { isIPv6 } from 'node:net';

/**
 * Whom the tries from an address are counted for: of IPv6 the first 64 bits, for whoever has one address there has them all (`2001:db8:0:1::/64`);
 * anything else is itself, also where it is written as IPv6 (`::ffff:192.0.2.1`).
 */
export function callerOf(ip: string): string {
  const bare = ip.split('%')[0] ?? ip;
  if (!isIPv6(bare)) return ip;
  // The URL parser writes an address in one way only.
  const [before = '', after] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const [left, right] = [before, after ?? ''].map((part) => (part ? part.split(':') : [])) as [string[], string[]];
  const groups = after === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    return groups
      .slice(6)
      .map((group) => Number.parseInt(group, 16))
      .map((n) => `${n >> 8}.${n & 255}`)
      .join('.');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
