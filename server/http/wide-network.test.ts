import { expect, test } from 'vitest';
import { callerOf } from './caller-of.ts';
import { wideNetworkOf } from './wide-network.ts';

test.each([
  ['2001:db8:7:1::1', '2001:db8:7::/48'],
  ['2001:DB8:7:ffff:1:2:3:4', '2001:db8:7::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
])('the caller at %s is in the wide network %s', (ip, network) => {
  expect(wideNetworkOf(callerOf(ip))).toBe(network);
});
