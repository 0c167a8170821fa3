import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextPolicyOf, policyOf, pollOf } from '../../testing/policy-of.ts';
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

test('[7.11] [7.14] [3.3] a device that is created with or given a custom profile gets it in its signed policy', async () => {
  const { token } = await person(server);
  const uuid = await createProfile(token);
  const expected = { policy: { uuid, name: 'Quiet' }, actions: quietActions, block_likely: true };
  const addedDevice = await linkedDevice(server, token, 'Added', uuid);
  expect(await policyOnDashboard(token, addedDevice.uuid)).toBe(uuid);
  expect(await policyOf(server, addedDevice.agent)).toMatchObject({ ...expected, version: 1 });
  const later = await linkedDevice(server, token, 'Later');
  expect((await assignProfile(token, later.uuid, uuid)).body).toMatchObject({ policy: uuid });
  // For a day a weaker profile reports what it ignores.
  await agreeToChanges(server);
  expect(await policyOf(server, later.agent)).toMatchObject({ ...expected, version: 2 });
  await assignProfile(token, later.uuid, 'permissive');
  expect(await policyOf(server, later.agent)).toMatchObject({ policy: { uuid: 'permissive' }, block_likely: false, version: 3 });
});

test('changing a profile immediately updates waiting agents of its devices, and no others', async () => {
  const { token } = await person(server);
  const uuid = await createProfile(token);
  const devicesWithProfile = [await linkedDevice(server, token, 'A', uuid), await linkedDevice(server, token, 'B', uuid)];
  const without = await linkedDevice(server, token, 'C');
  const agents = await Promise.all(
    devicesWithProfile.map(async ({ agent }) => {
      const policy = await policyOf(server, agent);
      return { version: policy.version, next: nextPolicyOf(server, agent, policy) };
    }),
  );
  const otherPolicy = await policyOf(server, without.agent);
  const otherPoll = pollOf(server, without.agent, otherPolicy, 1);
  await change(token, uuid, strictActions, 'Louder');
  for (const { version, next } of agents) {
    expect(await next).toMatchObject({ version: version + 1, policy: { uuid, name: 'Louder' }, actions: strictActions });
  }
  expect((await otherPoll).body).toMatchObject({ changed: false });
  expect(await policyOf(server, without.agent)).toMatchObject({ version: otherPolicy.version, policy: { uuid: 'strict' } });
});

test('removing a profile immediately sets its devices to strict with a new version', async () => {
  const { token } = await person(server);
  const uuid = await createProfile(token);
  const { uuid: device, agent } = await linkedDevice(server, token, 'Den PC', uuid);
  const otherDevice = await linkedDevice(server, token, 'Kept', 'permissive');
  const policy = await policyOf(server, agent);
  const waitingPoll = nextPolicyOf(server, agent, policy);
  expect((await remove(token, uuid)).status).toBe(200);
  expect(await waitingPoll).toMatchObject({
    version: policy.version + 1,
    policy: { uuid: 'strict', name: 'Strict (Default)' },
    actions: strictActions,
  });
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
    expect(await policyOf(server, agent)).toMatchObject({
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
    const { version: versionBefore } = await policyOf(server, agent);
    const contentByVersion = new Map<number, string>();
    const checkVersion = async () => {
      const { version, actions } = await policyOf(server, agent);
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
    const latestPolicy = await policyOf(server, agent);
    expect(latestPolicy).toMatchObject({ policy: { uuid }, actions: louderActions });
    expect(latestPolicy.version).toBeGreaterThan(versionBefore);
  }
});
