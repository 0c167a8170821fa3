import { randomUUID } from 'node:crypto';
import type { Device } from '@porchlight/contract/devices.ts';
import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { fakeAddress, person, type TestServer, testServer } from '../../testing/world.ts';

/** An expired code is shown to the holder, and a user at the computer can request a new one (P3.1, P3.5). */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const callerHeaders = () => ({ 'x-forwarded-for': fakeAddress() });
const createDevice = async (token: string, name = 'Mum’s laptop') =>
  (await server.call('POST /web/create-device', { token, body: { name, policy: null } })).body;
const deviceOf = async (token: string, uuid: unknown) =>
  (await server.call(`GET /web/devices/${uuid}`, { token })).body as unknown as Device;
const requestNewCode = (code: unknown) => server.call('POST /code/ask', { body: { code }, headers: callerHeaders() });
const requestEmails = async (email: string) => {
  await server.app.worker.idle();
  return (await server.mailsTo(email)).filter(({ subject }) => subject.endsWith('needs a new code'));
};

test('a device shows when its code expires, and neither code nor expiry once it is installed', async () => {
  const { token } = await person(server);
  const createdDevice = await createDevice(token);
  const firstExpiry = server.clock.now().getTime() + 7 * day;
  expect(await deviceOf(token, createdDevice.uuid)).toMatchObject({ login_code_expires: new Date(firstExpiry).toISOString() });
  server.clock.turn(8 * day);
  expect(await deviceOf(token, createdDevice.uuid)).toMatchObject({
    login_code: createdDevice.login_code,
    login_code_expires: new Date(firstExpiry).toISOString(),
  });
  const { body: renewedCode } = await server.call(`POST /web/devices/${createdDevice.uuid}/code`, { token });
  const later = new Date(server.clock.now().getTime() + 7 * day).toISOString();
  expect(await deviceOf(token, createdDevice.uuid)).toMatchObject({ login_code: renewedCode.login_code, login_code_expires: later });
  await server.call('POST /agent/enrol', {
    body: { code: renewedCode.login_code, info, enrol_id: randomUUID() },
    headers: callerHeaders(),
  });
  const installed = await deviceOf(token, createdDevice.uuid);
  expect([installed.login_code, installed.login_code_expires]).toEqual([undefined, undefined]);
});

test('[P3.5] a request for a new code emails the holder once a day per code, and does nothing while the code works', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const [lateDevice, laterDevice] = [await createDevice(token, 'Mum’s laptop'), await createDevice(token, 'Den PC')];
  expect((await requestNewCode(lateDevice.login_code)).status).toBe(200);
  expect(await requestEmails(email)).toEqual([]);

  server.clock.turn(7 * day);
  for (let i = 0; i < 2; i++) expect((await requestNewCode(String(lateDevice.login_code).toLowerCase())).status).toBe(200);
  expect((await requestEmails(email)).map(({ subject }) => subject)).toEqual(['Mum’s laptop needs a new code']);
  expect((await requestNewCode(laterDevice.login_code)).status).toBe(200);
  server.clock.turn(day);
  expect((await requestNewCode(lateDevice.login_code)).status).toBe(200);
  expect((await requestEmails(email)).map(({ subject }) => subject).toSorted()).toEqual([
    'Den PC needs a new code',
    'Mum’s laptop needs a new code',
    'Mum’s laptop needs a new code',
  ]);
});

test('the email that requests a new code has the expected text', async () => {
  const { token, email } = await person(server);
  const createdDevice = await createDevice(token);
  server.clock.turn(7 * day);
  await requestNewCode(createdDevice.login_code);
  const [mail] = await requestEmails(email);
  const expectedText = (mail?.text ?? '').split('\n\nNobody from Porchlight')[0];
  expect(expectedText).toBe(
    [
      'Mum’s laptop needs a new code',
      'Someone opened the link you sent to protect this computer. The code in it works for 7 days, and that time is over.',
      'Press the button and make a new code. Then send the new link.',
      'Didn’t send anyone a link? You can ignore this email.',
      `Make a new code:\nhttp://localhost:4380/dashboard/devices/${createdDevice.uuid}`,
    ].join('\n\n'),
  );
});

test('a used, replaced or unknown code sends no email and fails with its reason', async () => {
  const { token, email } = await person(server);
  const [usedDevice, replacedDevice] = [await createDevice(token), await createDevice(token)];
  await server.call('POST /agent/enrol', { body: { code: usedDevice.login_code, info, enrol_id: randomUUID() }, headers: callerHeaders() });
  await server.call(`POST /web/devices/${replacedDevice.uuid}/code`, { token });
  server.clock.turn(7 * day);
  expect(await requestNewCode(usedDevice.login_code)).toMatchObject({ status: 410, body: { code: 'code_used' } });
  expect(await requestNewCode(replacedDevice.login_code)).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  expect(await requestNewCode('ABCD-EFGH')).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  expect(await requestEmails(email)).toEqual([]);
});

test('requesting a new code counts as an attempt to use a code', async () => {
  const headers = callerHeaders();
  for (let i = 0; i < 10; i++) await server.call('POST /code/ask', { body: { code: 'ABCD-EFGH' }, headers });
  expect((await server.call('POST /code', { body: { code: 'ABCD-EFGH' }, headers })).status).toBe(429);
});
