import { randomBytes } from 'node:crypto';
import type { Device } from '@porchlight/contract/devices.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { person, type TestServer, testServer } from '../../testing/world.ts';

/** The same draft sent again: whoever heard no answer asks again, and has one device. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const newDraft = () => randomBytes(16).toString('hex');
const add = (token: string, draft: string, name = 'Den PC', policy = 'strict') =>
  server.call('POST /web/create-device', { token, body: { name, policy, draft } });
const devices = async (token: string) => (await server.call('GET /web/devices', { token })).body.devices as unknown as Device[];

test('[7.14] the same draft is one device with one code, also when it comes twice at once and with another name', async () => {
  const { token } = await person(server);
  const draft = newDraft();
  const both = await Promise.all([add(token, draft), add(token, draft)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both[0]?.body).toEqual(both[1]?.body);
  const again = await add(token, draft, 'Mum’s laptop', 'permissive');
  expect(again.body).toEqual(both[0]?.body);
  expect(await devices(token)).toMatchObject([
    { uuid: again.body.uuid, name: 'Mum’s laptop', policy: 'permissive', login_code: again.body.login_code },
  ]);
  expect((await add(token, newDraft())).body.uuid).not.toBe(again.body.uuid);
  expect(await devices(token)).toHaveLength(2);
});

test('a draft that is sent again needs no second place of the plan, and changes nothing when its profile does not exist', async () => {
  const { token } = await person(server);
  const draft = newDraft();
  const first = await add(token, draft);
  for (let i = 1; i < 5; i++) await add(token, newDraft());
  expect((await add(token, newDraft())).status).toBe(409);
  expect(await add(token, draft)).toMatchObject({ status: 200, body: first.body });
  expect((await add(token, draft, 'X', '11111111-1111-4111-8111-111111111111')).status).toBe(404);
  expect(await devices(token)).toHaveLength(5);
  expect((await devices(token)).find(({ uuid }) => uuid === String(first.body.uuid))).toMatchObject({ name: 'Den PC' });
});

test('a draft is of its account only: sent by another it is another device', async () => {
  const [a, b] = [await person(server), await person(server)];
  const draft = newDraft();
  const [mine, theirs] = [await add(a.token, draft), await add(b.token, draft, 'Theirs')];
  expect(theirs.status).toBe(200);
  expect(theirs.body.uuid).not.toBe(mine.body.uuid);
  expect(theirs.body.login_code).not.toBe(mine.body.login_code);
  expect(await devices(a.token)).toMatchObject([{ name: 'Den PC' }]);
});

test('a code that ran out is made anew for the draft; a device that is connected has no code any more', async () => {
  const { token } = await person(server);
  const draft = newDraft();
  const first = await add(token, draft);
  server.clock.turn(8 * 24 * 3_600_000);
  const second = await add(token, draft);
  expect(second.body.uuid).toBe(first.body.uuid);
  expect(second.body.login_code).not.toBe(first.body.login_code);
  expect((await server.call('POST /agent/enrol', { body: { code: second.body.login_code, info } })).status).toBe(200);
  expect(await add(token, draft, 'Other')).toMatchObject({ status: 409, body: { code: 'device_installed' } });
  expect(await devices(token)).toMatchObject([{ name: 'Den PC' }]);
});
