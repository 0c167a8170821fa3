import { randomUUID } from 'node:crypto';
import { minute } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { beginSpan, type ClockReading } from '../lib/span.ts';
import { hostOf, isolationIn, isolationLeft, socketsOf } from './decide.ts';

const issuedAt = Date.parse('2026-01-01T12:00:00Z');
const time = (ms: number) => new Date(issuedAt + ms).toISOString();
const reading = (wall: number, up = 1_000_000): ClockReading => ({ wall, up, boot: 'first' });
const [uuid, another] = [randomUUID(), randomUUID()];
const policyOf = (length: number, issued = 0) => ({
  issued: time(issued),
  isolation: { uuid, by: 'Anna', until: time(issued + length), may_end: false },
});
const atServer = reading(issuedAt);
const recordOf = (length: number, change: { uuid?: string; ended?: boolean } = {}) => ({
  ...{ uuid, span: beginSpan(atServer, length), addresses: ['192.0.2.1'], ended: false },
  ...change,
});

test.each([
  ['without a policy', null, null, atServer, false, null],
  ['without an isolation', { issued: time(0), isolation: null }, recordOf(minute), atServer, false, null],
  ['by the server’s times alone', policyOf(10 * minute), null, reading(0), false, 10 * minute],
  ['with a clock that is years ahead', policyOf(10 * minute), null, reading(issuedAt * 2), false, 10 * minute],
  ['for longer than is allowed', policyOf(600 * minute), null, atServer, false, 15 * minute],
  ['that ended before it was issued', policyOf(-minute), null, atServer, false, 0],
  ['that is known', policyOf(10 * minute), recordOf(4 * minute), atServer, false, 4 * minute],
  ['that is known, and is over', policyOf(10 * minute), recordOf(0), atServer, false, 0],
  ['that a newer policy shortens', policyOf(2 * minute, minute), recordOf(10 * minute), atServer, false, 2 * minute],
  ['that a newer policy would lengthen', policyOf(10 * minute, minute), recordOf(2 * minute), atServer, false, 2 * minute],
  ['that the user ended', policyOf(10 * minute), recordOf(10 * minute, { ended: true }), atServer, false, 0],
  ['after another one that the user ended', policyOf(5 * minute), recordOf(0, { uuid: another, ended: true }), atServer, false, 5 * minute],
  ['of a stored policy without a record, within its time', policyOf(10 * minute), null, reading(issuedAt + 4 * minute), true, 6 * minute],
  ['of a stored policy without a record, after its time', policyOf(10 * minute), null, reading(issuedAt + 10 * minute), true, 0],
  ['of a stored policy without a record, before its time', policyOf(10 * minute), null, reading(issuedAt - 1), true, 0],
  [
    'of a stored policy with a record',
    policyOf(10 * minute),
    recordOf(4 * minute),
    reading(issuedAt + minute, 1_000_000 + minute),
    true,
    3 * minute,
  ],
])('the time left of an isolation %s', (_what, policy, known, now, stored, left) => {
  const isolation = isolationIn(policy, known, now, stored);
  expect(isolation === null ? null : isolationLeft(isolation, now)).toBe(left);
});

test('an isolation that goes on keeps the addresses of the server', () => {
  expect(isolationIn(policyOf(10 * minute), recordOf(4 * minute), atServer, true)?.addresses).toEqual(['192.0.2.1']);
  expect(isolationIn(policyOf(2 * minute, minute), recordOf(10 * minute), atServer, false)?.addresses).toEqual(['192.0.2.1']);
});

test.each([
  ['https://porchlight.example', 'porchlight.example', 443],
  ['http://porchlight.example/', 'porchlight.example', 80],
  ['https://porchlight.example:8443', 'porchlight.example', 8443],
  ['http://[2001:db8::1]:8080', '2001:db8::1', 8080],
  ['http://127.0.0.1:3000', '127.0.0.1', 3000],
])('the host and port of %s', (server, host, port) => {
  expect(hostOf(server)).toEqual({ host, port });
});

test('each address of the server counts once', () => {
  expect(socketsOf(['192.0.2.1', '2001:db8::1', '192.0.2.1'], 443)).toEqual([
    { address: '192.0.2.1', port: 443 },
    { address: '2001:db8::1', port: 443 },
  ]);
});
