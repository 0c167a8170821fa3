import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, guardianSession, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** What a guardian says and does, and what the holder sees of it. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const inactive = { status: 409, body: { code: 'guardian_inactive' } };
const listed = async (token: string) => (await server.call('GET /web/guardians', { token })).body.guardians?.[0];
const report = async (agent: string, more = {}) => {
  const seen = detection(server, more);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [seen] } });
  return seen.uuid;
};
let invited = 0;
async function invite(token: string) {
  const email = `invited-${invited++}@example.org`;
  const { body } = await server.call('POST /web/create-guardian', { token, body: { name: 'Bob Builder', email } });
  const uuid = String(body.uuid);
  return { uuid, email, session: await guardianSession(server, uuid, email) };
}
const nothing = {
  mail: false,
  sms: false,
  phone_number: null,
  phone_number_verified: false,
  phone_number_opted_out: false,
  phone_number_host: null,
  plan: true,
  devices: [],
  alerts: [],
};

test('[P5.1] [P5.2] before they accept a guardian sees names alone; who says no is seen by the holder, gets no alert, and can be asked again', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  await report(agent);
  const bob = await invite(token);
  const names = { name: 'Bob Builder', holder_name: 'Ann', ...nothing };
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body).toEqual({ state: 'pending', ...names });
  for (let i = 0; i < 2; i++) {
    const no = await server.call(`POST /guardian/${bob.uuid}/decline`, { headers: bob.session });
    expect(no).toMatchObject({ status: 200, body: { state: 'declined', ...names } });
  }
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body).toEqual({ state: 'declined', ...names });
  expect(await listed(token)).toMatchObject({ active: false, state: 'declined' });
  const told = (await server.mailsTo(email)).filter(({ subject }) => subject === 'Bob Builder said no to being your guardian');
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain('http://localhost:4380/dashboard/profile/guardians');
  // No is no until the holder asks again.
  const again = await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: bob.session });
  expect(again).toMatchObject({ status: 410, body: { code: 'link_expired' } });
  const before = (await server.mailsTo(bob.email)).length;
  await report(agent, { identifier: 'teamviewer', name: 'TeamViewer' });
  expect(await server.mailsTo(bob.email)).toHaveLength(before);

  await server.call(`POST /web/guardians/${bob.uuid}/resend`, { token });
  expect(await listed(token)).toMatchObject({ state: 'pending' });
  expect((await server.mailsTo(bob.email))[0]?.subject).toBe('Ann asks you to be a guardian');
  expect((await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: bob.session })).status).toBe(410);
  const fresh = await guardianSession(server, bob.uuid, bob.email);
  expect((await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: fresh })).body).toMatchObject({ state: 'active' });
});

test('[P5.2] who stops being a guardian sees and hears nothing more; the holder gets one mail, and their phone number is forgotten', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const bob = await activeGuardian(server, token, 'Bob');
  const { headers } = { headers: bob.session };
  await server.call(`PATCH /guardian/${bob.uuid}`, { headers, body: { phone_number: '+12025550170' } });
  await server.call(`PATCH /guardian/${bob.uuid}`, { headers, body: { mail: false, sms: false } });
  const left = await Promise.all([1, 2].map(() => server.call(`POST /guardian/${bob.uuid}/leave`, { headers })));
  for (const reply of left) expect(reply).toMatchObject({ status: 200, body: { state: 'left', ...nothing } });
  expect(await listed(token)).toMatchObject({ active: false, state: 'left', texts: 'off' });
  expect((await server.mailsTo(email)).filter(({ subject }) => subject === 'Bob is no longer your guardian')).toHaveLength(1);
  const before = (await server.mailsTo(bob.email)).length;
  await report(agent);
  expect(await server.mailsTo(bob.email)).toHaveLength(before);
  expect(await server.call(`PATCH /guardian/${bob.uuid}`, { headers, body: { sms: true } })).toMatchObject(inactive);
  const row = await server.db.selectFrom('guardians').selectAll().where('uuid', '=', bob.uuid).executeTakeFirstOrThrow();
  // A guardian who is asked again gets emails and texts again, until they choose otherwise.
  expect(row).toMatchObject({ phone_number: null, accepted: null, mail: true, sms: true });
});

test("[P5.2] I'm on it: the first time counts, the holder sees who and when, and another guardian does not", async () => {
  const { token } = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const [bob, eve] = [await activeGuardian(server, token, 'Bob'), await activeGuardian(server, token, 'Eve')];
  const alert = await report(agent);
  const counted = await report(agent);
  const first = server.clock.now().toISOString();
  const see = (id: string, by = bob) => server.call(`POST /guardian/${by.uuid}/alerts/${id}/seen`, { headers: by.session });
  // What was counted into the alert is the alert.
  expect((await see(counted)).body).toMatchObject({ alerts: [{ uuid: alert, times: 2, seen: first }] });
  server.clock.turn(minute);
  expect((await see(alert)).body).toMatchObject({ alerts: [{ uuid: alert, seen: first }] });
  expect((await server.call(`GET /guardian/${eve.uuid}`, { headers: eve.session })).body).toMatchObject({ alerts: [{ seen: null }] });
  const seen = [{ name: 'Bob', time: first }];
  expect((await server.call('GET /web/detections', { token })).body.items?.[0]).toMatchObject({ uuid: alert, seen });
  expect((await server.call(`GET /web/detections/${counted}`, { token })).body).toMatchObject({ seen });

  const other = await person(server);
  const theirs = await report((await linkedDevice(server, other.token)).agent);
  for (const id of [theirs, '11111111-1111-4111-8111-111111111111']) {
    expect(await see(id), id).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect((await server.call('GET /web/detections', { token: other.token })).body.items?.[0]).toMatchObject({ seen: [] });
  // It happened, also when they are no guardian any more.
  await server.call(`DELETE /web/guardians/${bob.uuid}`, { token });
  expect((await server.call('GET /web/detections', { token })).body.items?.[0]).toMatchObject({ seen });
});

test('[P5.2] the last 25 alerts, newest first', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const bob = await activeGuardian(server, token);
  for (let i = 0; i < 26; i++) {
    await report(agent, { identifier: `thing-${i}`, name: `Thing ${i}` });
    server.clock.turn(1000);
  }
  const { alerts } = (await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body;
  const names = (alerts as unknown as { name: string }[]).map(({ name }) => name);
  expect([names.length, names[0], names.at(-1)]).toEqual([25, 'Thing 25', 'Thing 1']);
});

test('the holder sees each time a guardian looked: once in ten minutes, never by looking themselves, at most a hundred', async () => {
  const { token } = await person(server);
  const bob = await invite(token);
  const open = () => server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session });
  const looks = async () => (await server.call(`GET /web/guardians/${bob.uuid}/looks`, { token })).body.looks as unknown as string[];
  await open();
  // There was nothing to look at.
  expect(await looks()).toEqual([]);
  await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: bob.session });
  await server.call(`GET /web/guardians/${bob.uuid}/view`, { token });
  expect([await looks(), (await listed(token))?.last_looked]).toEqual([[], null]);
  const first = server.clock.now().toISOString();
  await Promise.all([open(), open(), open()]);
  server.clock.turn(10 * minute - 1);
  await open();
  expect([await looks(), (await listed(token))?.last_looked]).toEqual([[first], first]);
  server.clock.turn(1);
  const second = server.clock.now().toISOString();
  await open();
  expect([await looks(), (await listed(token))?.last_looked]).toEqual([[second, first], second]);
  for (let i = 0; i < 100; i++) {
    server.clock.turn(10 * minute);
    await open();
  }
  expect(await looks()).toHaveLength(100);
  expect(await looks()).not.toContain(second);
});

test('the holder sees what the guardian sees, but for the phone number', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const bob = await invite(token);
  const both = async () => [
    (await server.call(`GET /web/guardians/${bob.uuid}/view`, { token })).body,
    (await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body,
  ];
  const [early, theirs] = await both();
  expect(early).toEqual(theirs);
  await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: bob.session });
  const alert = await report(agent);
  await server.call(`POST /guardian/${bob.uuid}/alerts/${alert}/seen`, { headers: bob.session });
  await server.call(`PATCH /guardian/${bob.uuid}`, { headers: bob.session, body: { phone_number: '+1 202 555 0171' } });
  const [view, own] = await both();
  expect(own).toMatchObject({ phone_number: '+12025550171', devices: [{ name: 'Den PC' }], alerts: [{ uuid: alert }] });
  expect(view).toEqual({ ...own, phone_number: '••••71' });
});

test('of no word of a whole session the log has kept the key, the cookie or an address', async () => {
  const { token } = await person(server);
  const bob = await invite(token);
  const mail = (await server.mailsTo(bob.email))[0]?.text ?? '';
  const key = /\/guardian\/[^/]+\/(\S+)/.exec(mail)?.[1] ?? '';
  expect(key).toMatch(/^[\w-]{43}$/);
  const page = await server.app.http.inject(`/dashboard/guardian/${bob.uuid}/${key}`);
  expect(page.headers['referrer-policy']).toBe('no-referrer');
  expect(page.body).not.toContain(key);
  await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: bob.session });
  await server.call(`POST /guardian/${bob.uuid}/decline?key=${key}`, { headers: bob.session });
  const wrong = await server.call(`POST /guardian/${bob.uuid}/session`, { body: { key: [key] } });
  expect(wrong.status).toBe(422);
  expect(JSON.stringify(wrong.body)).not.toContain(key);
  await server.call(`GET /guardian/${bob.uuid}/${key}`, { headers: bob.session });
  const cookie = /guardian_session=([^;]+)/.exec(bob.session.cookie ?? '')?.[1] ?? '';
  expect(cookie.length).toBeGreaterThan(20);
  const log = server.logged();
  expect(log).toContain('/api/guardian/:id/session');
  for (const secret of [key, cookie, bob.email]) expect(log).not.toContain(secret);
});
