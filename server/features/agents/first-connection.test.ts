import { randomUUID } from 'node:crypto';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { fakeAddress, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const enrolAgent = (code: unknown, enrol_id: string) =>
  server.call('POST /agent/enrol', { body: { code, info, enrol_id }, headers: { 'x-forwarded-for': fakeAddress() } });
const newDevice = async (token: string, draft?: string) =>
  (await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null, ...(draft ? { draft } : {}) } })).body;
const firstConnectedOf = async ({ email }: { email: string }) =>
  (
    await server.db
      .selectFrom('accounts')
      .leftJoin('hold_settings', 'hold_settings.account', 'accounts.uuid')
      .select('first_connected')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).first_connected;

test("an account's first connection is the first enrolment that succeeds, and later enrolments leave it as it is", async () => {
  const [ann, neighbour] = [await person(server), await person(server)];
  const both = async () => [await firstConnectedOf(ann), await firstConnectedOf(neighbour)];
  const [device, neighboursDevice] = [await newDevice(ann.token), await newDevice(neighbour.token)];
  const id = randomUUID();
  expect((await enrolAgent('ABCD-EFGH', id)).status).toBe(404);
  expect(await both()).toEqual([null, null]);
  server.clock.turn(minute);
  const firstTime = server.clock.now();
  expect((await enrolAgent(device.login_code, id)).status).toBe(200);
  expect(await both()).toEqual([firstTime, null]);
  server.clock.turn(minute);
  // The first reply was lost.
  expect((await enrolAgent(device.login_code, id)).status).toBe(200);
  expect((await enrolAgent((await newDevice(ann.token)).login_code, randomUUID())).status).toBe(200);
  expect(await both()).toEqual([firstTime, null]);
  await server.call(`DELETE /web/devices/${device.uuid}`, { token: ann.token });
  expect((await enrolAgent(neighboursDevice.login_code, randomUUID())).status).toBe(200);
  expect(await both()).toEqual([firstTime, server.clock.now()]);
});

test('an enrolment that stores the first connection does not deadlock with a change of the same draft', async () => {
  for (let i = 0; i < 5; i++) {
    const ann = await person(server);
    const draft = randomUUID().replaceAll('-', '');
    const { login_code } = await newDevice(ann.token, draft);
    const create = () => server.call('POST /web/create-device', { token: ann.token, body: { name: `PC ${i}`, policy: null, draft } });
    const replies = await Promise.all([enrolAgent(login_code, randomUUID()), create(), create()]);
    expect(replies[0].status).toBe(200);
    for (const { status } of replies.slice(1)) expect([200, 409]).toContain(status);
    expect(await firstConnectedOf(ann)).toEqual(server.clock.now());
  }
});
