import { scryptSync } from 'node:crypto';
import { devicePolicy } from '@porchlight/contract/agent.ts';
import type { PinHash, SignedDocument } from '@porchlight/contract/shapes.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const policyOf = async (agent: string, query = '') => {
  const { body } = await server.call(`GET /agent/policy${query}`, { token: agent });
  const { keys } = (await server.call('GET /agent/server')).body;
  const policy = openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy);
  if (!policy?.pin) throw new Error('the policy is not signed, or says nothing of a PIN');
  return { version: policy.version, pin: policy.pin, definitions: Number(body.definitions_version) };
};
const pinOf = async (token: string, method = 'GET') =>
  String((await server.call(`${method} /web/bypasspassword`, { token })).body.bypass_password);
const fits = ({ salt, hash, n, r, p }: PinHash, pin: string) => {
  const made = scryptSync(pin, Buffer.from(salt, 'base64url'), 32, { N: n, r, p, maxmem: 256 * n * r });
  return made.toString('base64url') === hash;
};

test('[P2.6] the policy of a device carries a slow hash of the PIN, salted for that device alone, and not the PIN', async () => {
  const { token } = await person(server);
  const [a, b] = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B')];
  const [forA, forB] = [await policyOf(a.agent), await policyOf(b.agent)];
  const pin = await pinOf(token);
  expect([fits(forA.pin, pin), fits(forB.pin, pin)]).toEqual([true, true]);
  expect(fits(forA.pin, pin === '194735' ? '194736' : '194735')).toBe(false);
  expect(forA.pin.salt).not.toBe(forB.pin.salt);
  expect(forA.pin.n * forA.pin.r).toBeGreaterThanOrEqual(32_768 * 8);
  expect((await policyOf(a.agent)).pin).toEqual(forA.pin);
});

test('[P4.8] a PIN that was reset reaches an agent that waits within seconds, and the one of before opens nothing', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
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
