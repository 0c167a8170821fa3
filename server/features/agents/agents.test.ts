import { devicePolicy } from '@porchlight/contract/agent.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBody, agentInfo as info } from '../../testing/agent-info.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const policyOf = async (agent: string, query = '') => {
  const { body } = await server.call(`GET /agent/policy${query}`, { token: agent });
  const { keys } = (await server.call('GET /agent/server')).body;
  const policy = openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy);
  if (!policy) throw new Error('the policy is not signed by the key that the server tells');
  return { policy, definitions_version: Number(body.definitions_version) };
};

test("a linked agent gets its device's signed policy; strict blocks all three categories", async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token, 'Den PC');
  await activeGuardian(server, token, 'Bob Example');
  const { policy } = await policyOf(agent);
  expect(policy).toMatchObject({
    device: uuid,
    device_name: 'Den PC',
    policy: { uuid: 'strict' },
    actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' },
    block_likely: true,
    relatives: ['Bob'],
  });
});

test('permissive blocks scam sites and only alerts about programs', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token, 'Den PC', 'permissive');
  const { policy } = await policyOf(agent);
  expect(policy).toMatchObject({
    actions: { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' },
    block_likely: false,
  });
});

test('a waiting agent gets a change of its own device immediately, and none of another device', async () => {
  const { token } = await person(server);
  const [a, b] = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B')];
  const [policyA, policyB] = [await policyOf(a.agent), await policyOf(b.agent)];
  const pollQuery = (version: number, definitions: number, wait: number) =>
    `?known=${version}&known_definitions=${definitions}&wait=${wait}`;
  const started = Date.now();
  const replyA = policyOf(a.agent, pollQuery(policyA.policy.version, policyA.definitions_version, 25));
  const replyB = policyOf(b.agent, pollQuery(policyB.policy.version, policyB.definitions_version, 2));
  await server.call(`POST /web/devices/${a.uuid}`, { token, body: { name: 'A', policy: 'permissive' } });
  expect((await replyA).policy).toMatchObject({ version: policyA.policy.version + 1, policy: { uuid: 'permissive' } });
  // At once: otherwise the answer comes after 25 seconds.
  expect(Date.now() - started).toBeLessThan(20_000);
  expect((await replyB).policy.version).toBe(policyB.policy.version);
});

test('an agent with an outdated version gets an answer without waiting', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const { policy, definitions_version } = await policyOf(agent);
  const started = Date.now();
  await policyOf(agent, `?known=${policy.version - 1}&known_definitions=${definitions_version}&wait=25`);
  await policyOf(agent, `?known=${policy.version}&known_definitions=${definitions_version - 1}&wait=25`);
  // At once: otherwise the answer comes after 25 seconds.
  expect(Date.now() - started).toBeLessThan(20_000);
});

test('an agent that waits while its device is removed gets a 410 immediately', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token);
  const { policy, definitions_version } = await policyOf(agent);
  const waiting = server.call(`GET /agent/policy?known=${policy.version}&known_definitions=${definitions_version}&wait=25`, {
    token: agent,
  });
  await server.call(`DELETE /web/devices/${uuid}`, { token });
  expect(await waiting).toMatchObject({ status: 410, body: { code: 'device_removed' } });
});

test("a check-in updates the device's name and last-seen time", async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token);
  server.clock.turn(60_000);
  const reply = await server.call('POST /agent/check-in', {
    token: agent,
    body: { ...checkInBody, info: { ...info, name: 'renamed-pc' } },
  });
  expect(reply.status).toBe(200);
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body).toMatchObject({
    info: { name: 'renamed-pc' },
    last_seen: server.clock.now().toISOString(),
  });
});

test("a user's token does not work as an agent's token, nor the reverse", async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  expect((await server.call('GET /agent/policy', { token })).status).toBe(401);
  expect((await server.call('GET /web/devices', { token: agent })).status).toBe(401);
});
