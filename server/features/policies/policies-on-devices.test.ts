import { devicePolicy } from '@porchlight/contract/agent.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** What becomes of the devices that have a profile of one's own, up to the signed policy that their agents fetch. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const quiet = { RemoteControl: 'ignore', DeceptiveUtility: 'alert', ScamWebsite: 'block' } as const;
const strict = { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' } as const;
const make = async (token: string, name = 'Quiet', actions: object = quiet) =>
  String((await server.call('POST /web/policies', { token, body: { name, actions } })).body.uuid);
const change = (token: string, uuid: string, actions: object, name = 'Quiet') =>
  server.call(`PATCH /web/policies/${uuid}`, { token, body: { name, actions } });
const remove = (token: string, uuid: string) => server.call(`DELETE /web/policies/${uuid}`, { token });
const put = (token: string, device: string, policy: string) =>
  server.call(`POST /web/devices/${device}`, { token, body: { name: 'Den PC', policy } });
const policyOnDashboard = async (token: string, device: string) =>
  String((await server.call(`GET /web/devices/${device}`, { token })).body.policy);

/** The policy that the agent fetches, once its signature is proved. */
async function fetched(agent: string, query = '') {
  const { body } = await server.call(`GET /agent/policy${query}`, { token: agent });
  const { keys } = (await server.call('GET /agent/server')).body;
  const policy = openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy);
  if (!policy) throw new Error('the policy is not signed by the key that the server tells');
  return { ...policy, definitions_version: Number(body.definitions_version) };
}

test('[7.11] [7.14] [3.3] a device is added with a profile of one’s own, and put on it; its agent gets what that says, signed', async () => {
  const { token } = await person(server);
  const uuid = await make(token);
  const expected = { policy: { uuid, name: 'Quiet' }, actions: quiet, block_likely: true };
  const added = await linkedDevice(server, token, 'Added', uuid);
  expect(await policyOnDashboard(token, added.uuid)).toBe(uuid);
  expect(await fetched(added.agent)).toMatchObject({ ...expected, version: 1 });
  const later = await linkedDevice(server, token, 'Later');
  expect((await put(token, later.uuid, uuid)).body).toMatchObject({ policy: uuid });
  expect(await fetched(later.agent)).toMatchObject({ ...expected, version: 2 });
  await put(token, later.uuid, 'permissive');
  expect(await fetched(later.agent)).toMatchObject({ policy: { uuid: 'permissive' }, block_likely: false, version: 3 });
});

test('a change reaches every waiting agent whose device has the profile at once, and no other', async () => {
  const { token } = await person(server);
  const uuid = await make(token);
  const having = [await linkedDevice(server, token, 'A', uuid), await linkedDevice(server, token, 'B', uuid)];
  const without = await linkedDevice(server, token, 'C');
  const ask = async (agent: string, wait: number) => {
    const { version, definitions_version } = await fetched(agent);
    return { version, heard: fetched(agent, `?known=${version}&known_definitions=${definitions_version}&wait=${wait}`) };
  };
  const asked = await Promise.all(having.map(({ agent }) => ask(agent, 25)));
  const other = await ask(without.agent, 1);
  const started = Date.now();
  await change(token, uuid, strict, 'Louder');
  for (const { version, heard } of asked) {
    expect(await heard).toMatchObject({ version: version + 1, policy: { uuid, name: 'Louder' }, actions: strict });
  }
  expect(Date.now() - started).toBeLessThan(3000);
  expect(await other.heard).toMatchObject({ version: other.version, policy: { uuid: 'strict' } });
});

test('a removed profile puts its devices back to strict, with a newer version, and their agents hear at once', async () => {
  const { token } = await person(server);
  const uuid = await make(token);
  const { uuid: device, agent } = await linkedDevice(server, token, 'Den PC', uuid);
  const kept = await linkedDevice(server, token, 'Kept', 'permissive');
  const { version, definitions_version } = await fetched(agent);
  const started = Date.now();
  const heard = fetched(agent, `?known=${version}&known_definitions=${definitions_version}&wait=25`);
  expect((await remove(token, uuid)).status).toBe(200);
  expect(await heard).toMatchObject({ version: version + 1, policy: { uuid: 'strict', name: 'Strict (Default)' }, actions: strict });
  expect(Date.now() - started).toBeLessThan(3000);
  expect(await policyOnDashboard(token, device)).toBe('strict');
  expect(await policyOnDashboard(token, kept.uuid)).toBe('permissive');
  expect((await put(token, device, uuid)).status).toBe(404);
});

test("nobody puts a device on someone else's profile, and its owner's devices alone go with it", async () => {
  const [a, b] = [await person(server), await person(server)];
  const uuid = await make(a.token);
  const { uuid: device } = await linkedDevice(server, b.token);
  const none = '11111111-1111-4111-8111-111111111111';
  const told = ({ status, body }: { status: number; body: object }) => ({ ...body, status, request_id: '' });
  expect(told(await put(b.token, device, uuid))).toEqual(told(await put(b.token, device, none)));
  const create = (policy: string) => server.call('POST /web/create-device', { token: b.token, body: { name: 'X', policy } });
  expect(told(await create(uuid))).toEqual(told(await create(none)));
  expect((await create(uuid)).status).toBe(404);
  expect((await server.call('GET /web/devices', { token: b.token })).body.devices).toMatchObject([{ uuid: device, policy: 'strict' }]);
});

test('a device that names a profile which is no longer there, or not theirs, is protected like strict', async () => {
  const [a, b] = [await person(server), await person(server)];
  const { uuid, agent } = await linkedDevice(server, a.token);
  const theirs = await make(b.token);
  for (const policy of [theirs, '11111111-1111-4111-8111-111111111111'] as const) {
    await server.db.updateTable('devices').set({ policy }).where('uuid', '=', uuid).execute();
    expect(await fetched(agent)).toMatchObject({
      policy: { uuid: 'strict', name: 'Strict (Default)' },
      actions: strict,
      block_likely: true,
    });
  }
});

test('a profile that is changed and removed at once, while devices are put on it and added with it, leaves every device with a profile that exists', async () => {
  const { token } = await person(server);
  for (let round = 0; round < 8; round++) {
    const uuid = await make(token, `Round ${round}`);
    const devices = [await linkedDevice(server, token, 'A', uuid), await linkedDevice(server, token, 'B')];
    const [added, ...others] = await Promise.all([
      server.call('POST /web/create-device', { token, body: { name: 'C', policy: uuid } }),
      put(token, devices[1]?.uuid ?? '', uuid),
      change(token, uuid, strict, `Round ${round}`),
      change(token, uuid, quiet, `Round ${round}`),
      remove(token, uuid),
      remove(token, uuid),
      put(token, devices[0]?.uuid ?? '', uuid),
    ]);
    for (const { status } of [added, ...others]) expect([200, 404]).toContain(status);
    const left = (await server.call('GET /web/devices', { token })).body.devices as unknown as { uuid: string; policy: string }[];
    expect(left.map(({ policy }) => policy)).toEqual(left.map(() => 'strict'));
    expect(left).toHaveLength(added?.status === 200 ? 3 : 2);
    for (const { uuid: device } of left) await server.call(`DELETE /web/devices/${device}`, { token });
  }
});

test('a device that is put on a profile while that is changed has, in its newest version, what the profile says in the end', async () => {
  const { token } = await person(server);
  const uuid = await make(token);
  const { uuid: device, agent } = await linkedDevice(server, token);
  for (let round = 0; round < 8; round++) {
    await put(token, device, 'strict');
    await change(token, uuid, quiet);
    const { version: before } = await fetched(agent);
    const seen = new Map<number, string>();
    const watch = async () => {
      const { version, actions } = await fetched(agent);
      const words = JSON.stringify(actions);
      // One version, one policy: an agent that has it does not ask for it again.
      expect(seen.get(version) ?? words).toBe(words);
      seen.set(version, words);
    };
    const louder = { ...quiet, RemoteControl: 'block' };
    await Promise.all([put(token, device, uuid), change(token, uuid, louder), watch(), watch(), watch(), watch()]);
    await watch();
    const now = await fetched(agent);
    expect(now).toMatchObject({ policy: { uuid }, actions: louder });
    expect(now.version).toBeGreaterThan(before);
  }
});
