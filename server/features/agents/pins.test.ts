import { scryptSync } from 'node:crypto';
import { devicePolicy } from '@porchlight/contract/agent.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { PinHash, SignedDocument } from '@porchlight/contract/shapes.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkedDevice, person, type TestServer, testServer, usedDevice } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const policyOf = async (agent: string, query = '') => {
  const { body } = await server.call(`GET /agent/policy${query}`, { token: agent });
  const { keys } = (await server.call('GET /agent/server')).body;
  const policy = openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy);
  if (!policy) throw new Error('the policy is not signed');
  return { version: policy.version, pin: policy.pin, definitions: Number(body.definitions_version) };
};
const pinOf = async (token: string, method = 'GET') =>
  String((await server.call(`${method} /web/bypasspassword`, { token })).body.bypass_password);
const fits = (known: PinHash | null, pin: string) => {
  if (!known) return 'nobody knows one';
  const { salt, hash, n, r, p } = known;
  const made = scryptSync(pin, Buffer.from(salt, 'base64url'), 32, { N: n, r, p, maxmem: 256 * n * r });
  return made.toString('base64url') === hash;
};

test('[P2.6] the policy of a device carries a slow hash of the PIN, salted for that device alone, and not the PIN', async () => {
  const { token } = await person(server);
  const [a, b] = [await usedDevice(server, token, 'A'), await usedDevice(server, token, 'B')];
  const [forA, forB] = [await policyOf(a.agent), await policyOf(b.agent)];
  const pin = await pinOf(token);
  expect([fits(forA.pin, pin), fits(forB.pin, pin)]).toEqual([true, true]);
  expect(fits(forA.pin, pin === '194735' ? '194736' : '194735')).toBe(false);
  expect(forA.pin?.salt).not.toBe(forB.pin?.salt);
  expect((forA.pin?.n ?? 0) * (forA.pin?.r ?? 0)).toBeGreaterThanOrEqual(32_768 * 8);
  expect((await policyOf(a.agent)).pin).toEqual(forA.pin);
});

test('[P4.8] a PIN that was reset reaches an agent that waits within seconds, and the one of before opens nothing', async () => {
  const { token } = await person(server);
  const { agent } = await usedDevice(server, token);
  const before = await policyOf(agent);
  const old = await pinOf(token);
  const started = Date.now();
  const heard = policyOf(agent, `?known=${before.version}&known_definitions=${before.definitions}&wait=25`);
  const pin = await pinOf(token, 'POST');
  const after = await heard;
  expect(Date.now() - started).toBeLessThan(5000);
  expect(after.version).toBe(before.version + 1);
  expect([fits(after.pin, pin), fits(after.pin, old)]).toEqual([true, false]);
});

test('A11: a device that was enrolled with a guessed code is given no hash of the PIN within the first hour; another that was used is', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token, 'Guessed');
  for (let minutes = 0; minutes < 60; minutes += 5) {
    expect((await policyOf(agent)).pin).toBeNull();
    server.clock.turn(minutes < 55 ? 5 * 60_000 : 0);
  }
  const pin = await pinOf(token);
  const [before, used] = [await policyOf(agent), await usedDevice(server, token, 'Kitchen PC')];
  expect(before.pin).toBeNull();
  expect(fits((await policyOf(used.agent)).pin, pin)).toBe(true);
  // Connected for less than an hour, whatever the clock says: the time in which nobody heard of it does not count.
  const quiet = await linkedDevice(server, token, 'Quiet');
  await policyOf(quiet.agent);
  server.clock.turn(3 * 3_600_000);
  expect((await policyOf(quiet.agent)).pin).toBeNull();
});

test('A11: a waiting device is given the hash as soon as it has been used for an hour, in a policy of its own version', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const first = await policyOf(agent);
  for (let minutes = 0; minutes < 60; minutes += 5) {
    server.clock.turn(5 * 60_000);
    await policyOf(agent);
  }
  const then = await policyOf(agent, `?known=${first.version}&known_definitions=${first.definitions}&wait=25`);
  expect([then.version, fits(then.pin, await pinOf(token))]).toEqual([first.version + 1, true]);
});

test('A11: the server checks the PIN for a device that has no hash, and counts the wrong ones of the whole account; another account is not locked', async () => {
  const { token } = await person(server);
  const [a, b] = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B')];
  const pin = await pinOf(token);
  const ask = async (device: { agent: string }, typed: string) => {
    const { status, body } = await server.call('POST /agent/pin', { token: device.agent, body: { pin: typed } });
    return status === 200 ? body.right : body.code;
  };
  expect(await ask(a, ` ${pin.slice(0, 3)} ${pin.slice(3)} `)).toBe(true);
  for (let n = 2; n < serverLimits.pin_tries; n++) expect(await ask(n % 2 ? a : b, '000000')).toBe(false);
  expect(await ask(b, '1')).toBe(false);
  expect([await ask(a, pin), await ask(b, pin)]).toEqual(['too_many', 'too_many']);
  const other = await person(server);
  const theirs = await linkedDevice(server, other.token);
  expect(await ask(theirs, await pinOf(other.token))).toBe(true);
  server.clock.turn(15 * 60_000);
  expect(await ask(b, pin)).toBe(true);
});
