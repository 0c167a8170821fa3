import { devicePolicy } from '@porchlight/contract/agent.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agreeToChanges, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** Devices with a custom profile, up to their signed policies. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const quietActions = { RemoteControl: 'ignore', DeceptiveUtility: 'alert', ScamWebsite: 'block' } as const;
const strictActions = { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' } as const;
const createProfile = async (token: string, name = 'Quiet', actions: object = quietActions) =>
  String((await server.call('POST /web/policies', { token, body: { name, actions } })).body.uuid);
const change = (token: string, uuid: string, actions: object, name = 'Quiet') =>
  server.call(`PATCH /web/policies/${uuid}`, { token, body: { name, actions } });
const remove = (token: string, uuid: string) => server.call(`DELETE /web/policies/${uuid}`, { token });
const assignProfile = (token: string, device: string, policy: string) =>
  server.call(`POST /web/devices/${device}`, { token, body: { name: 'Den PC', policy } });
const policyOnDashboard = async (token: string, device: string) =>
  String((await server.call(`GET /web/devices/${device}`, { token })).body.policy);

/** Fetches an agent's policy and verifies its signature. */
async function fetched(agent: string, query = '') {
  const { body } = await server.call(`GET /agent/policy${query}`, { token: agent });
  const { keys } = (await server.call('GET /agent/server')).body;
  const policy = openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy);
  if (!policy) throw new Error('the policy is not signed by the key that the server tells');
  return { ...policy, definitions_version: Number(body.definitions_version) };
}

test('[7.11] [7.14] [3.3] a device that is created with or given a custom profile gets it in its signed policy', async () => {
  const { token } = await person(server);
  const uuid = await createProfile(token);
  const expected = { policy: { uuid, name: 'Quiet' }, actions: quietActions, block_likely: true };
  const addedDevice = await linkedDevice(server, token, 'Added', uuid);
  expect(await policyOnDashboard(token, addedDevice.uuid)).toBe(uuid);
  expect(await fetched(addedDevice.agent)).toMatchObject({ ...expected, version: 1 });
  const later = await linkedDevice(server, token, 'Later');
  expect((await assignProfile(token, later.uuid, uuid)).body).toMatchObject({ policy: uuid });
  // For a day a weaker profile reports what it ignores.
  await agreeToChanges(server);
  expect(await fetched(later.agent)).toMatchObject({ ...expected, version: 2 });
  await assignProfile(token, later.uuid, 'permissive');
  expect(await fetched(later.agent)).toMatchObject({ policy: { uuid: 'permissive' }, block_likely: false, version: 3 });
});

test('changing a profile immediately updates waiting agents of its devices, and no others', async () => {
  const { token } = await person(server);
  const uuid = await createProfile(token);
  const devicesWithProfile = [await linkedDevice(server, token, 'A', uuid), await linkedDevice(server, token, 'B', uuid)];
  const without = await linkedDevice(server, token, 'C');
  const pollPolicy = async (agent: string, wait: number) => {
    const { version, definitions_version } = await fetched(agent);
    return { version, policyOfPoll: fetched(agent, `?known=${version}&known_definitions=${definitions_version}&wait=${wait}`) };
  };
  const pollReplies = await Promise.all(devicesWithProfile.map(({ agent }) => pollPolicy(agent, 25)));
  const otherReply = await pollPolicy(without.agent, 1);
  const started = Date.now();
  await change(token, uuid, strictActions, 'Louder');
  for (const { version, policyOfPoll } of pollReplies) {
    expect(await policyOfPoll).toMatchObject({ version: version + 1, policy: { uuid, name: 'Louder' }, actions: strictActions });
  }
  expect(Date.now() - started).toBeLessThan(3000);
  expect(await otherReply.policyOfPoll).toMatchObject({ version: otherReply.version, policy: { uuid: 'strict' } });
});

test('removing a profile immediately sets its devices to strict with a new version', async () => {
  const { token } = await person(server);
  const uuid = await createProfile(token);
  const { uuid: device, agent } = await linkedDevice(server, token, 'Den PC', uuid);
  const otherDevice = await linkedDevice(server, token, 'Kept', 'permissive');
  const { version, definitions_version } = await fetched(agent);
  const started = Date.now();
  const waitingPoll = fetched(agent, `?known=${version}&known_definitions=${definitions_version}&wait=25`);
  expect((await remove(token, uuid)).status).toBe(200);
  expect(await waitingPoll).toMatchObject({
    version: version + 1,
    policy: { uuid: 'strict', name: 'Strict (Default)' },
    actions: strictActions,
  });
  expect(Date.now() - started).toBeLessThan(3000);
  expect(await policyOnDashboard(token, device)).toBe('strict');
  expect(await policyOnDashboard(token, otherDevice.uuid)).toBe('permissive');
  expect((await assignProfile(token, device, uuid)).status).toBe(404);
});

test("a device cannot get another account's profile", async () => {
  const [a, b] = [await person(server), await person(server)];
  const uuid = await createProfile(a.token);
  const { uuid: device } = await linkedDevice(server, b.token);
  const unknownId = '11111111-1111-4111-8111-111111111111';
  const withoutRequestId = ({ status, body }: { status: number; body: object }) => ({ ...body, status, request_id: '' });
  expect(withoutRequestId(await assignProfile(b.token, device, uuid))).toEqual(
    withoutRequestId(await assignProfile(b.token, device, unknownId)),
  );
  const create = (policy: string) => server.call('POST /web/create-device', { token: b.token, body: { name: 'X', policy } });
  expect(withoutRequestId(await create(uuid))).toEqual(withoutRequestId(await create(unknownId)));
  expect((await create(uuid)).status).toBe(404);
  expect((await server.call('GET /web/devices', { token: b.token })).body.devices).toMatchObject([{ uuid: device, policy: 'strict' }]);
});

test('a device with a missing or foreign profile is protected like strict', async () => {
  const [a, b] = [await person(server), await person(server)];
  const { uuid, agent } = await linkedDevice(server, a.token);
  const foreignProfile = await createProfile(b.token);
  for (const policy of [foreignProfile, '11111111-1111-4111-8111-111111111111'] as const) {
    await server.db.updateTable('devices').set({ policy }).where('uuid', '=', uuid).execute();
    expect(await fetched(agent)).toMatchObject({
      policy: { uuid: 'strict', name: 'Strict (Default)' },
      actions: strictActions,
      block_likely: true,
    });
  }
});

test('concurrent changes and removal of a profile leave every device with an existing profile', async () => {
  const { token } = await person(server);
  for (let round = 0; round < 8; round++) {
    const uuid = await createProfile(token, `Round ${round}`);
    const devices = [await linkedDevice(server, token, 'A', uuid), await linkedDevice(server, token, 'B')];
    const [addedDevice, ...otherReplies] = await Promise.all([
      server.call('POST /web/create-device', { token, body: { name: 'C', policy: uuid } }),
      assignProfile(token, devices[1]?.uuid ?? '', uuid),
      change(token, uuid, strictActions, `Round ${round}`),
      change(token, uuid, quietActions, `Round ${round}`),
      remove(token, uuid),
      remove(token, uuid),
      assignProfile(token, devices[0]?.uuid ?? '', uuid),
    ]);
    for (const { status } of [addedDevice, ...otherReplies]) expect([200, 404]).toContain(status);
    const remainingDevices = (await server.call('GET /web/devices', { token })).body.devices as unknown as {
      uuid: string;
      policy: string;
    }[];
    expect(remainingDevices.map(({ policy }) => policy)).toEqual(remainingDevices.map(() => 'strict'));
    expect(remainingDevices).toHaveLength(addedDevice?.status === 200 ? 3 : 2);
    for (const { uuid: device } of remainingDevices) await server.call(`DELETE /web/devices/${device}`, { token });
  }
});

test('a device given a profile during its change ends with the changed profile in its newest version', async () => {
  const { token } = await person(server);
  const uuid = await createProfile(token);
  const { uuid: device, agent } = await linkedDevice(server, token);
  for (let round = 0; round < 8; round++) {
    await assignProfile(token, device, 'strict');
    await change(token, uuid, quietActions);
    const { version: versionBefore } = await fetched(agent);
    const contentByVersion = new Map<number, string>();
    const checkVersion = async () => {
      const { version, actions } = await fetched(agent);
      const content = JSON.stringify(actions);
      // A policy's content must not change within a version, because agents fetch a version once.
      expect(contentByVersion.get(version) ?? content).toBe(content);
      contentByVersion.set(version, content);
    };
    const louderActions = { ...quietActions, RemoteControl: 'block' };
    await Promise.all([
      assignProfile(token, device, uuid),
      change(token, uuid, louderActions),
      checkVersion(),
      checkVersion(),
      checkVersion(),
      checkVersion(),
    ]);
    await checkVersion();
    const latestPolicy = await fetched(agent);
    expect(latestPolicy).toMatchObject({ policy: { uuid }, actions: louderActions });
    expect(latestPolicy.version).toBeGreaterThan(versionBefore);
  }
});
