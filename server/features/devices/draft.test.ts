import { randomBytes, randomUUID } from 'node:crypto';
import type { Device } from '@porchlight/contract/devices.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const newDraft = () => randomBytes(16).toString('hex');
const addDraft = (token: string, draft: string, name = 'Den PC', policy = 'strict') =>
  server.call('POST /web/create-device', { token, body: { name, policy, draft } });
const devices = async (token: string) => (await server.call('GET /web/devices', { token })).body.devices as unknown as Device[];

test('[7.14] repeating a draft of a device creates one device with one code, also simultaneously and with another name', async () => {
  const { token } = await person(server);
  const draft = newDraft();
  const replies = await Promise.all([addDraft(token, draft), addDraft(token, draft)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(replies[0]?.body).toEqual(replies[1]?.body);
  const repeatedReply = await addDraft(token, draft, 'Mum’s laptop', 'permissive');
  expect(repeatedReply.body).toEqual(replies[0]?.body);
  expect(await devices(token)).toMatchObject([
    { uuid: repeatedReply.body.uuid, name: 'Mum’s laptop', policy: 'permissive', login_code: repeatedReply.body.login_code },
  ]);
  expect((await addDraft(token, newDraft())).body.uuid).not.toBe(repeatedReply.body.uuid);
  expect(await devices(token)).toHaveLength(2);
});

test('a repeated draft needs no additional device in the plan, and an unknown profile changes nothing', async () => {
  const { token } = await person(server);
  const draft = newDraft();
  const firstReply = await addDraft(token, draft);
  for (let i = 1; i < 5; i++) await addDraft(token, newDraft());
  expect((await addDraft(token, newDraft())).status).toBe(409);
  expect(await addDraft(token, draft)).toMatchObject({ status: 200, body: firstReply.body });
  expect((await addDraft(token, draft, 'X', '11111111-1111-4111-8111-111111111111')).status).toBe(404);
  expect(await devices(token)).toHaveLength(5);
  expect((await devices(token)).find(({ uuid }) => uuid === String(firstReply.body.uuid))).toMatchObject({ name: 'Den PC' });
});

test('the same draft id from another account creates another device', async () => {
  const [a, b] = [await person(server), await person(server)];
  const draft = newDraft();
  const [ownDevice, otherDevice] = [await addDraft(a.token, draft), await addDraft(b.token, draft, 'Theirs')];
  expect(otherDevice.status).toBe(200);
  expect(otherDevice.body.uuid).not.toBe(ownDevice.body.uuid);
  expect(otherDevice.body.login_code).not.toBe(ownDevice.body.login_code);
  expect(await devices(a.token)).toMatchObject([{ name: 'Den PC' }]);
});

test('a repeated draft gets a new code if the previous one expired, and is refused once the device is connected', async () => {
  const { token } = await person(server);
  const draft = newDraft();
  const firstReply = await addDraft(token, draft);
  server.clock.turn(8 * 24 * 3_600_000);
  const secondReply = await addDraft(token, draft);
  expect(secondReply.body.uuid).toBe(firstReply.body.uuid);
  expect(secondReply.body.login_code).not.toBe(firstReply.body.login_code);
  expect(
    (await server.call('POST /agent/enrol', { body: { code: secondReply.body.login_code, info, enrol_id: randomUUID() } })).status,
  ).toBe(200);
  expect(await addDraft(token, draft, 'Other')).toMatchObject({ status: 409, body: { code: 'device_installed' } });
  expect(await devices(token)).toMatchObject([{ name: 'Den PC' }]);
});
