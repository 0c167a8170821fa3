import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, newcomer, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const defaultSettings = { notify_after_days: 3, weekly: true, every_week: false, mail: true, sms: true };

test('alert settings have defaults, and each setting can be changed alone and is stored', async () => {
  const { token } = await newcomer(server);
  const get = async () => (await server.call('GET /web/alert-settings', { token })).body;
  const patchSettings = (body: object) => server.call('PATCH /web/alert-settings', { token, body });
  expect(await get()).toEqual(defaultSettings);
  expect((await patchSettings({ notify_after_days: 7 })).body).toEqual({ ...defaultSettings, notify_after_days: 7 });
  await patchSettings({ weekly: false });
  await patchSettings({ every_week: true });
  await patchSettings({ sms: false });
  expect(await get()).toEqual({ notify_after_days: 7, weekly: false, every_week: true, mail: true, sms: false });
  for (const days of [0, 2, 30, 'x']) expect((await patchSettings({ notify_after_days: days })).status).toBe(422);
});

test('alerts by email and by SMS are never both off, even when two parallel calls switch them off', async () => {
  const { token } = await newcomer(server);
  const patchSettings = (body: object) => server.call('PATCH /web/alert-settings', { token, body });
  const replies = await Promise.all([patchSettings({ mail: false }), patchSettings({ sms: false })]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { mail, sms } = (await server.call('GET /web/alert-settings', { token })).body;
  expect([mail, sms].filter(Boolean)).toHaveLength(1);
});

test('a holder who switched emails off gets no practice alert by email, and the guardian still does', async () => {
  const { token, email } = await newcomer(server);
  const bob = await activeGuardian(server, token);
  await server.call('PATCH /web/alert-settings', { token, body: { mail: false } });
  const before = (await server.mailsTo(email)).length;
  await server.call('POST /web/fire-drill', { token });
  expect(await server.mailsTo(email)).toHaveLength(before);
  expect((await server.mailsTo(bob.email))[0]?.subject).toMatch(/^Practice alert/);
});
