import type { Device } from '@porchlight/contract/devices.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { fakeAddress, person, type TestServer, testServer } from '../../testing/world.ts';

/** A code that has expired: the holder sees it, and whoever stands at the computer can ask for another one (P3.1, P3.5). */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const day = 24 * 3_600_000;
const from = () => ({ 'x-forwarded-for': fakeAddress() });
const create = async (token: string, name = 'Mum’s laptop') =>
  (await server.call('POST /web/create-device', { token, body: { name, policy: null } })).body;
const deviceOf = async (token: string, uuid: unknown) =>
  (await server.call(`GET /web/devices/${uuid}`, { token })).body as unknown as Device;
const ask = (code: unknown) => server.call('POST /code/ask', { body: { code }, headers: from() });
const asked = async (email: string) => {
  await server.app.worker.idle();
  return (await server.mailsTo(email)).filter(({ subject }) => subject.endsWith('needs a new code'));
};

test('a device says until when its code works, with a new code until later, and nothing of it once it is installed', async () => {
  const { token } = await person(server);
  const made = await create(token);
  const first = server.clock.now().getTime() + 7 * day;
  expect(await deviceOf(token, made.uuid)).toMatchObject({ login_code_expires: new Date(first).toISOString() });
  server.clock.turn(8 * day);
  // What has expired is still said: a screen has to offer another one.
  expect(await deviceOf(token, made.uuid)).toMatchObject({
    login_code: made.login_code,
    login_code_expires: new Date(first).toISOString(),
  });
  const { body: second } = await server.call(`POST /web/devices/${made.uuid}/code`, { token });
  const later = new Date(server.clock.now().getTime() + 7 * day).toISOString();
  expect(await deviceOf(token, made.uuid)).toMatchObject({ login_code: second.login_code, login_code_expires: later });
  await server.call('POST /agent/enrol', { body: { code: second.login_code, info }, headers: from() });
  const installed = await deviceOf(token, made.uuid);
  expect([installed.login_code, installed.login_code_expires]).toEqual([undefined, undefined]);
});

test('[P3.5] asked for a new code, the holder gets one email a day for each code, and whoever has a code that works asks nobody', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const [late, later] = [await create(token, 'Mum’s laptop'), await create(token, 'Den PC')];
  expect((await ask(late.login_code)).status).toBe(200);
  expect(await asked(email)).toEqual([]);

  server.clock.turn(7 * day);
  for (let i = 0; i < 2; i++) expect((await ask(String(late.login_code).toLowerCase())).status).toBe(200);
  expect((await asked(email)).map(({ subject }) => subject)).toEqual(['Mum’s laptop needs a new code']);
  expect((await ask(later.login_code)).status).toBe(200);
  server.clock.turn(day);
  expect((await ask(late.login_code)).status).toBe(200);
  expect((await asked(email)).map(({ subject }) => subject).toSorted()).toEqual([
    'Den PC needs a new code',
    'Mum’s laptop needs a new code',
    'Mum’s laptop needs a new code',
  ]);
});

test('the email that asks for a new code, word by word', async () => {
  const { token, email } = await person(server);
  const made = await create(token);
  server.clock.turn(7 * day);
  await ask(made.login_code);
  const [mail] = await asked(email);
  const words = (mail?.text ?? '').split('\n\nNobody from Porchlight')[0];
  expect(words).toBe(
    [
      'Mum’s laptop needs a new code',
      'Someone opened the link you sent to protect this computer. The code in it works for 7 days, and that time is over.',
      'Press the button and make a new code. Then send the new link.',
      'Didn’t send anyone a link? You can ignore this email.',
      `Make a new code:\nhttp://localhost:4380/dashboard/devices/${made.uuid}`,
    ].join('\n\n'),
  );
});

test('a code that was used, replaced or never was asks nobody, and says which', async () => {
  const { token, email } = await person(server);
  const [used, replaced] = [await create(token), await create(token)];
  await server.call('POST /agent/enrol', { body: { code: used.login_code, info }, headers: from() });
  await server.call(`POST /web/devices/${replaced.uuid}/code`, { token });
  server.clock.turn(7 * day);
  expect(await ask(used.login_code)).toMatchObject({ status: 410, body: { code: 'code_used' } });
  expect(await ask(replaced.login_code)).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  expect(await ask('ABCD-EFGH')).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  expect(await asked(email)).toEqual([]);
});

test('asking counts as a try of a code', async () => {
  const headers = from();
  for (let i = 0; i < 10; i++) await server.call('POST /code/ask', { body: { code: 'ABCD-EFGH' }, headers });
  expect((await server.call('POST /code', { body: { code: 'ABCD-EFGH' }, headers })).status).toBe(429);
});
