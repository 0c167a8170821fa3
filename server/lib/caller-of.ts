import { BlockList, isIPv6 } from 'node:net';

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
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return !localNetworks[family].check(address, family);
}
