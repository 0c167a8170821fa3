import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBody, agentInfo as info } from '../../testing/agent-info.ts';
import { nextPolicyOf, policyOf, pollOf } from '../../testing/policy-of.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test("a linked agent gets its device's signed policy; strict blocks all three categories", async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token, 'Den PC');
  await activeGuardian(server, token, 'Bob Example');
  const policy = await policyOf(server, agent);
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
  const policy = await policyOf(server, agent);
  expect(policy).toMatchObject({
    actions: { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' },
    block_likely: false,
  });
});

test('a waiting agent gets a change of its own device immediately, and none of another device', async () => {
  const { token } = await person(server);
  const [a, b] = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B')];
  const [policyA, policyB] = [await policyOf(server, a.agent), await policyOf(server, b.agent)];
  const [nextA, pollB] = [nextPolicyOf(server, a.agent, policyA), pollOf(server, b.agent, policyB, 2)];
  await server.call(`POST /web/devices/${a.uuid}`, { token, body: { name: 'A', policy: 'permissive' } });
  expect(await nextA).toMatchObject({ version: policyA.version + 1, policy: { uuid: 'permissive' } });
  expect((await pollB).body).toMatchObject({ changed: false });
  expect((await policyOf(server, b.agent)).version).toBe(policyB.version);
});

test('an agent that waits while its device is removed gets an answer immediately, and then a 410', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token);
  const poll = pollOf(server, agent, await policyOf(server, agent));
  await server.call(`DELETE /web/devices/${uuid}`, { token });
  // The removal may come before the poll.
  expect([(await poll).status === 410 || (await poll).body.changed]).toEqual([true]);
  expect(await server.call('GET /agent/policy', { token: agent })).toMatchObject({ status: 410, body: { code: 'device_removed' } });
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
