import { BlockList, isIPv6 } from 'node:net';

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

// One list for each: in one of both an IPv4 address is also looked for as it is written in IPv6, and `::/64` holds all of those.
const near = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  near.ipv4.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  near.ipv6.addSubnet(network, bits, 'ipv6');
}

/** Whether a caller, as `callerOf` gives it, is someone out there: the address of a proxy or of the same house says nothing about who calls. */
export function isFarCaller(caller: string): boolean {
  const bare = caller.split('/')[0] ?? caller;
  const family = isIPv6(bare) ? 'ipv6' : 'ipv4';
  return !near[family].check(bare, family);
}
