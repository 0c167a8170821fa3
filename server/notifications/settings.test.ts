import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, newcomer, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const defaultSettings = { silence_days: 3, weekly: true, mail: true, sms: true };

test('what nobody chose otherwise; each can be changed alone, and stays', async () => {
  const { token } = await newcomer(server);
  const get = async () => (await server.call('GET /web/alert-settings', { token })).body;
  const set = (body: object) => server.call('PATCH /web/alert-settings', { token, body });
  expect(await get()).toEqual(defaultSettings);
  expect((await set({ silence_days: 7 })).body).toEqual({ ...defaultSettings, silence_days: 7 });
  await set({ weekly: false });
  await set({ sms: false });
  expect(await get()).toEqual({ silence_days: 7, weekly: false, mail: true, sms: false });
  for (const silence_days of [0, 2, 30, 'x']) expect((await set({ silence_days })).status).toBe(422);
});

test('mail and texts are never both off, also when both go at once', async () => {
  const { token } = await newcomer(server);
  const set = (body: object) => server.call('PATCH /web/alert-settings', { token, body });
  const both = await Promise.all([set({ mail: false }), set({ sms: false })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { mail, sms } = (await server.call('GET /web/alert-settings', { token })).body;
  expect([mail, sms].filter(Boolean)).toHaveLength(1);
});

test('who wants no mails gets none of these, and the guardian still does', async () => {
  const { token, email } = await newcomer(server);
  const bob = await activeGuardian(server, token);
  await server.call('PATCH /web/alert-settings', { token, body: { mail: false } });
  const before = (await server.mailsTo(email)).length;
  await server.call('POST /web/fire-drill', { token });
  expect(await server.mailsTo(email)).toHaveLength(before);
  expect((await server.mailsTo(bob.email))[0]?.subject).toMatch(/^Practice alert/);
});
