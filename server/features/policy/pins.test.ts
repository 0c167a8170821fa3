import { scryptSync } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextPolicyOf, policyOf } from '../../testing/policy-of.ts';
import { linkedDevice, person, type TestServer, testServer, usedDevice } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const pinOf = async (token: string, method = 'GET') =>
  String((await server.call(`${method} /web/bypasspassword`, { token })).body.bypass_password);
const pinMatches = (pinHash: PinHash | null, pin: string) => {
  if (!pinHash) return 'nobody knows one';
  const { salt, hash, n, r, p } = pinHash;
  const computedHash = scryptSync(pin, Buffer.from(salt, 'base64url'), 32, { N: n, r, p, maxmem: 256 * n * r });
  return computedHash.toString('base64url') === hash;
};

test("[P2.6] a device's policy contains a slow, individually salted hash of the PIN, not the PIN itself", async () => {
  const { token } = await person(server);
  const [a, b] = [await usedDevice(server, token, 'A'), await usedDevice(server, token, 'B')];
  const [policyA, policyB] = [await policyOf(server, a.agent), await policyOf(server, b.agent)];
  const pin = await pinOf(token);
  expect([pinMatches(policyA.pin, pin), pinMatches(policyB.pin, pin)]).toEqual([true, true]);
  expect(pinMatches(policyA.pin, pin === '194735' ? '194736' : '194735')).toBe(false);
  expect(policyA.pin?.salt).not.toBe(policyB.pin?.salt);
  expect((policyA.pin?.n ?? 0) * (policyA.pin?.r ?? 0)).toBeGreaterThanOrEqual(32_768 * 8);
  expect((await policyOf(server, a.agent)).pin).toEqual(policyA.pin);
});

test('[P4.8] a reset PIN reaches a waiting agent within seconds, and the previous PIN stops working', async () => {
  const { token } = await person(server);
  const { agent } = await usedDevice(server, token);
  // Showing the PIN changes the policy too.
  const oldPin = await pinOf(token);
  const oldPolicy = await policyOf(server, agent);
  const waitingPoll = nextPolicyOf(server, agent, oldPolicy);
  const pin = await pinOf(token, 'POST');
  const newPolicy = await waitingPoll;
  expect(newPolicy.version).toBeGreaterThan(oldPolicy.version);
  expect([pinMatches(newPolicy.pin, pin), pinMatches(newPolicy.pin, oldPin)]).toEqual([true, false]);
});

test('A11: a device enrolled with a guessed code gets no PIN hash during its first hour; a device in longer use does', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token, 'Guessed');
  for (let minutes = 0; minutes < 60; minutes += 5) {
    expect((await policyOf(server, agent)).pin).toBeNull();
    server.clock.turn(minutes < 55 ? 5 * 60_000 : 0);
  }
  const pin = await pinOf(token);
  const [unusedPolicy, longUsedDevice] = [await policyOf(server, agent), await usedDevice(server, token, 'Kitchen PC')];
  expect(unusedPolicy.pin).toBeNull();
  expect(pinMatches((await policyOf(server, longUsedDevice.agent)).pin, pin)).toBe(true);
  // Only the time that a device is connected counts as use.
  const quietDevice = await linkedDevice(server, token, 'Quiet');
  await policyOf(server, quietDevice.agent);
  server.clock.turn(3 * 3_600_000);
  expect((await policyOf(server, quietDevice.agent)).pin).toBeNull();
});

test('A11: a waiting device gets the hash after an hour of use, in a new policy version', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const firstPolicy = await policyOf(server, agent);
  for (let minutes = 0; minutes < 60; minutes += 5) {
    server.clock.turn(5 * 60_000);
    await policyOf(server, agent);
  }
  const laterPolicy = await nextPolicyOf(server, agent, firstPolicy);
  expect([laterPolicy.version, pinMatches(laterPolicy.pin, await pinOf(token))]).toEqual([firstPolicy.version + 1, true]);
});

test('A11: the server checks the PIN for a device without a hash, and counts wrong PINs separately for each account', async () => {
  const { token } = await person(server);
  const [a, b] = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B')];
  const pin = await pinOf(token);
  const checkPin = async (device: { agent: string }, typedPin: string) => {
    const { status, body } = await server.call('POST /agent/pin', { token: device.agent, body: { pin: typedPin } });
    return status === 200 ? body.right : body.code;
  };
  expect(await checkPin(a, ` ${pin.slice(0, 3)} ${pin.slice(3)} `)).toBe(true);
  for (let n = 2; n < serverLimits.pin_tries; n++) expect(await checkPin(n % 2 ? a : b, '000000')).toBe(false);
  expect(await checkPin(b, '1')).toBe(false);
  expect([await checkPin(a, pin), await checkPin(b, pin)]).toEqual(['too_many', 'too_many']);
  const otherUser = await person(server);
  const otherDevice = await linkedDevice(server, otherUser.token);
  expect(await checkPin(otherDevice, await pinOf(otherUser.token))).toBe(true);
  server.clock.turn(15 * 60_000);
  expect(await checkPin(b, pin)).toBe(true);
});
