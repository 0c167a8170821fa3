import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { portsWithout, rangesWithout } from './address-ranges.ts';

const lastV6 = 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff';
const below = '2001:db8:0:0:0:0:0';

test.each([
  ['nothing', 4, [], ['0.0.0.0-255.255.255.255']],
  ['one address', 4, ['192.0.2.1'], ['0.0.0.0-192.0.2.0', '192.0.2.2-255.255.255.255']],
  ['the first address', 4, ['0.0.0.0'], ['0.0.0.1-255.255.255.255']],
  ['the last address', 4, ['255.255.255.255'], ['0.0.0.0-255.255.255.254']],
  ['both ends', 4, ['255.255.255.255', '0.0.0.0'], ['0.0.0.1-255.255.255.254']],
  ['neighbours', 4, ['10.0.0.256'.replace('256', '2'), '10.0.0.1'], ['0.0.0.0-10.0.0.0', '10.0.0.3-255.255.255.255']],
  ['the same twice', 4, ['10.0.0.1', '10.0.0.1'], ['0.0.0.0-10.0.0.0', '10.0.0.2-255.255.255.255']],
  ['across a byte', 4, ['10.0.1.0'], ['0.0.0.0-10.0.0.255', '10.0.1.1-255.255.255.255']],
  ['a network and an address in it', 4, ['127.0.0.1', '127.0.0.0/8'], ['0.0.0.0-126.255.255.255', '128.0.0.0-255.255.255.255']],
  ['everything', 4, ['0.0.0.0/0'], []],
  ['addresses of the other version', 4, ['::1'], ['0.0.0.0-255.255.255.255']],
  ['nothing', 6, [], [`0:0:0:0:0:0:0:0-${lastV6}`]],
  ['loopback', 6, ['::1'], ['0:0:0:0:0:0:0:0-0:0:0:0:0:0:0:0', `0:0:0:0:0:0:0:2-${lastV6}`]],
  ['both ends', 6, ['::', lastV6], [`0:0:0:0:0:0:0:1-${lastV6.slice(0, -1)}e`]],
  ['one address', 6, ['2001:db8::1', '192.0.2.1'], [`0:0:0:0:0:0:0:0-${below}:0`, `${below}:2-${lastV6}`]],
  ['an address with IPv4 in it', 6, ['::ffff:192.0.2.1'], ['0:0:0:0:0:0:0:0-0:0:0:0:0:ffff:c000:200', `0:0:0:0:0:ffff:c000:202-${lastV6}`]],
  ['an address with a zone', 6, ['fe80::1%eth0'], ['0:0:0:0:0:0:0:0-fe80:0:0:0:0:0:0:0', `fe80:0:0:0:0:0:0:2-${lastV6}`]],
] as const)('the ranges without %s (IPv%i)', (_what, version, excluded, ranges) => {
  expect(rangesWithout(version, [...excluded])).toEqual(ranges);
});

test('the ranges have every address but the excluded ones', () => {
  const excluded = ['0.0.0.0', '10.1.2.3', '10.1.2.5', '127.0.0.0/8', '203.0.113.9', '255.255.255.255'];
  const blocked = new BlockList();
  for (const range of rangesWithout(4, excluded)) {
    const [from = '', to = ''] = range.split('-');
    blocked.addRange(from, to);
  }
  for (const address of ['0.0.0.0', '10.1.2.3', '10.1.2.5', '127.0.0.1', '127.255.255.255', '203.0.113.9', '255.255.255.255'])
    expect(blocked.check(address), address).toBe(false);
  for (const address of [
    '0.0.0.1',
    '10.1.2.2',
    '10.1.2.4',
    '10.1.2.6',
    '126.255.255.255',
    '128.0.0.0',
    '203.0.113.8',
    '203.0.113.10',
    '255.255.255.254',
  ])
    expect(blocked.check(address), address).toBe(true);
});

test.each([
  [[], '0-65535'],
  [[443], '0-442,444-65535'],
  [[67, 547], '0-66,68-546,548-65535'],
  [[0, 65_535], '1-65534'],
  [[80, 81], '0-79,82-65535'],
])('the ports without %j', (ports, text) => {
  expect(portsWithout(...ports)).toBe(text);
});
