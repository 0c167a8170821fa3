import { isIPv6 } from 'node:net';

const bitsOf = { 4: 32n, 6: 128n } as const;
export type IpVersion = keyof typeof bitsOf;

/** Ascending ranges `from-to` of all addresses of an IP version outside the `excluded` addresses and networks (`127.0.0.0/8`). */
export function rangesWithout(version: IpVersion, excluded: string[]): string[] {
  const last = (1n << bitsOf[version]) - 1n;
  const holes = excluded
    .filter((text) => isIPv6(text.split('/')[0] ?? '') === (version === 6))
    .map((text) => network(text, version))
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
  const ranges: string[] = [];
  let next = 0n;
  for (const { from, to } of holes) {
    if (from > next) ranges.push(`${textOf(next, version)}-${textOf(from - 1n, version)}`);
    if (to >= next) next = to + 1n;
  }
  if (next <= last) ranges.push(`${textOf(next, version)}-${textOf(last, version)}`);
  return ranges;
}

/** Ascending ranges of all ports but these. */
export function portsWithout(...ports: number[]): string {
  const sorted = [-1, ...new Set(ports), 65_536].toSorted((one, other) => one - other);
  return sorted
    .slice(1)
    .flatMap((port, n) => ((sorted[n] ?? 0) + 1 < port ? [`${(sorted[n] ?? 0) + 1}-${port - 1}`] : []))
    .join(',');
}

function network(text: string, version: IpVersion): { from: bigint; to: bigint } {
  const [address = '', prefix] = text.split('/');
  const bits = bitsOf[version];
  const free = bits - BigInt(prefix ?? bits);
  const from = (numberOf(address, version) >> free) << free;
  return { from, to: from + (1n << free) - 1n };
}

function numberOf(address: string, version: IpVersion): bigint {
  const join = (digits: (string | number)[], base: bigint, radix: string) =>
    digits.reduce<bigint>((sum, digit) => sum * base + BigInt(`${radix}${digit}`), 0n);
  if (version === 4) return join(address.split('.'), 256n, '');
  // The last 32 bits may be written as IPv4; a zone behind % is no part of the number.
  const text = (address.split('%')[0] ?? '').replace(/(?<![\d.])\d+\.[\d.]+$/, (ipv4) => {
    const number = join(ipv4.split('.'), 256n, '');
    return `${(number >> 16n).toString(16)}:${(number & 0xffffn).toString(16)}`;
  });
  const [before = '', after] = text.split('::');
  const groups = (half: string) => half.split(':').filter(Boolean);
  const [head, tail] = [groups(before), groups(after ?? '')];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return join([...head, ...zeros, ...tail], 65_536n, '0x');
}

function textOf(number: bigint, version: IpVersion): string {
  const [count, size, radix, separator] = version === 4 ? [4, 8n, 10, '.'] : [8, 16n, 16, ':'];
  return Array.from({ length: count }, (_digit, n) =>
    ((number >> (size * BigInt(count - 1 - n))) & ((1n << size) - 1n)).toString(radix),
  ).join(separator);
}
