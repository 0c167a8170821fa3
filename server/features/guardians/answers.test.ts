import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  activeGuardian,
  detection,
  endIncidents,
  guardianSession,
  linkedDevice,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const inactiveReply = { status: 409, body: { code: 'guardian_inactive' } };
const listedGuardian = async (token: string) => (await server.call('GET /web/guardians', { token })).body.guardians?.[0];
const report = async (agent: string, overrides = {}) => {
  const newDetection = detection(server, overrides);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [newDetection] } });
  return newDetection.uuid;
};
let invitationCount = 0;
async function invite(token: string) {
  const email = `invited-${invitationCount++}@example.org`;
  const { body } = await server.call('POST /web/create-guardian', { token, body: { name: 'Bob Builder', email } });
  const uuid = String(body.uuid);
  return { uuid, email, session: await guardianSession(server, uuid, email) };
}
const emptyView = {
  incidents: [],
  requests: [],
  mail: false,
  weekly: false,
  every_week: false,
  sms: false,
  phone_number: null,
  phone_number_verified: false,
  phone_number_opted_out: false,
  phone_number_host: null,
  plan: true,
  devices: [],
  alerts: [],
};

test('[P5.1] [P5.2] an invited guardian sees only names; declining is shown to the holder and ends alerts', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  await report(agent);
  // In an incident an invitation waits for a yes.
  await endIncidents(server);
  const bob = await invite(token);
  const names = { name: 'Bob Builder', holder_name: 'Ann', ...emptyView };
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body).toEqual({ state: 'pending', ...names });
  for (let i = 0; i < 2; i++) {
    const declineReply = await server.call(`POST /guardian/${bob.uuid}/decline`, { headers: bob.session });
    expect(declineReply).toMatchObject({ status: 200, body: { state: 'declined', ...names } });
  }
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body).toEqual({ state: 'declined', ...names });
  expect(await listedGuardian(token)).toMatchObject({ active: false, state: 'declined' });
  const notifications = (await server.mailsTo(email)).filter(({ subject }) => subject === 'Bob Builder said no to being your guardian');
  expect(notifications).toHaveLength(1);
  expect(notifications[0]?.text).toContain('http://localhost:4380/dashboard/profile/guardians');
  // Declining is final until the holder invites again.
  const acceptReply = await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: bob.session });
  expect(acceptReply).toMatchObject({ status: 410, body: { code: 'link_expired' } });
  const countBefore = (await server.mailsTo(bob.email)).length;
  await report(agent, { identifier: 'teamviewer', name: 'TeamViewer' });
  expect(await server.mailsTo(bob.email)).toHaveLength(countBefore);

  await endIncidents(server);
  await server.call(`POST /web/guardians/${bob.uuid}/resend`, { token });
  expect(await listedGuardian(token)).toMatchObject({ state: 'pending' });
  expect((await server.mailsTo(bob.email))[0]?.subject).toBe('Ann asks you to be a guardian');
  expect((await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: bob.session })).status).toBe(410);
  const newSession = await guardianSession(server, bob.uuid, bob.email);
  expect((await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: newSession })).body).toMatchObject({ state: 'active' });
});

test('[P5.2] a guardian who leaves sees and gets nothing more, the holder gets one email, and the phone number is deleted', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const bob = await activeGuardian(server, token, 'Bob');
  const { headers } = { headers: bob.session };
  await server.call(`PATCH /guardian/${bob.uuid}`, { headers, body: { phone_number: '+12025550170' } });
  await server.call(`PATCH /guardian/${bob.uuid}`, { headers, body: { mail: false, sms: false } });
  const leaveReplies = await Promise.all([1, 2].map(() => server.call(`POST /guardian/${bob.uuid}/leave`, { headers })));
  for (const reply of leaveReplies) expect(reply).toMatchObject({ status: 200, body: { state: 'left', ...emptyView } });
  expect(await listedGuardian(token)).toMatchObject({ active: false, state: 'left', texts: 'off' });
  expect((await server.mailsTo(email)).filter(({ subject }) => subject === 'Bob is no longer your guardian')).toHaveLength(1);
  const countBefore = (await server.mailsTo(bob.email)).length;
  await report(agent);
  expect(await server.mailsTo(bob.email)).toHaveLength(countBefore);
  expect(await server.call(`PATCH /guardian/${bob.uuid}`, { headers, body: { sms: true } })).toMatchObject(inactiveReply);
  const row = await server.db.selectFrom('guardians').selectAll().where('uuid', '=', bob.uuid).executeTakeFirstOrThrow();
  // A guardian who is invited again starts with both channels on.
  expect(row).toMatchObject({ phone_number: null, accepted: null, mail: true, sms: true });
});

test('[P5.2] the first acknowledgement of an alert counts, and the holder sees who and when, but another guardian does not', async () => {
  const { token } = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const [bob, eve] = [await activeGuardian(server, token, 'Bob'), await activeGuardian(server, token, 'Eve')];
  const alert = await report(agent);
  const repeatedDetection = await report(agent);
  const firstTime = server.clock.now().toISOString();
  const viewOf = (id: string, by = bob) => server.call(`POST /guardian/${by.uuid}/alerts/${id}/seen`, { headers: by.session });
  // Acknowledging a repeated detection acknowledges its alert.
  expect((await viewOf(repeatedDetection)).body).toMatchObject({ alerts: [{ uuid: alert, times: 2, seen: firstTime }] });
  server.clock.turn(minute);
  expect((await viewOf(alert)).body).toMatchObject({ alerts: [{ uuid: alert, seen: firstTime }] });
  expect((await server.call(`GET /guardian/${eve.uuid}`, { headers: eve.session })).body).toMatchObject({ alerts: [{ seen: null }] });
  const expectedAnswers = [{ name: 'Bob', time: firstTime }];
  expect((await server.call('GET /web/detections', { token })).body.items?.[0]).toMatchObject({ uuid: alert, seen: expectedAnswers });
  expect((await server.call(`GET /web/detections/${repeatedDetection}`, { token })).body).toMatchObject({ seen: expectedAnswers });

  const otherHolder = await person(server);
  const otherAlert = await report((await linkedDevice(server, otherHolder.token)).agent);
  for (const id of [otherAlert, '11111111-1111-4111-8111-111111111111']) {
    expect(await viewOf(id), id).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect((await server.call('GET /web/detections', { token: otherHolder.token })).body.items?.[0]).toMatchObject({ seen: [] });
  // The acknowledgement remains after the guardian is removed.
  await server.call(`DELETE /web/guardians/${bob.uuid}`, { token });
  expect((await server.call('GET /web/detections', { token })).body.items?.[0]).toMatchObject({ seen: expectedAnswers });
});

test('[P5.2] a guardian sees the last 25 alerts, newest first', async () => {
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

test("the holder sees a guardian's last hundred page visits, at most one in ten minutes, and causes none with the preview", async () => {
  const { token } = await person(server);
  const bob = await invite(token);
  const openPage = () => server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session });
  const listVisits = async () => (await server.call(`GET /web/guardians/${bob.uuid}/looks`, { token })).body.looks as unknown as string[];
  await openPage();
  expect(await listVisits()).toEqual([]);
  await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: bob.session });
  await server.call(`GET /web/guardians/${bob.uuid}/view`, { token });
  expect([await listVisits(), (await listedGuardian(token))?.last_looked]).toEqual([[], null]);
  const firstVisit = server.clock.now().toISOString();
  await Promise.all([openPage(), openPage(), openPage()]);
  server.clock.turn(10 * minute - 1);
  await openPage();
  expect([await listVisits(), (await listedGuardian(token))?.last_looked]).toEqual([[firstVisit], firstVisit]);
  server.clock.turn(1);
  const secondVisit = server.clock.now().toISOString();
  await openPage();
  expect([await listVisits(), (await listedGuardian(token))?.last_looked]).toEqual([[secondVisit, firstVisit], secondVisit]);
  for (let i = 0; i < 100; i++) {
    server.clock.turn(10 * minute);
    await openPage();
  }
  expect(await listVisits()).toHaveLength(100);
  expect(await listVisits()).not.toContain(secondVisit);
});

test("the holder's preview equals the guardian's page except for a masked phone number", async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const bob = await invite(token);
  const bothViews = async () => [
    (await server.call(`GET /web/guardians/${bob.uuid}/view`, { token })).body,
    (await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body,
  ];
  const [firstPreview, guardianView] = await bothViews();
  expect(firstPreview).toEqual(guardianView);
  await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: bob.session });
  const alert = await report(agent);
  await server.call(`POST /guardian/${bob.uuid}/alerts/${alert}/seen`, { headers: bob.session });
  await server.call(`PATCH /guardian/${bob.uuid}`, { headers: bob.session, body: { phone_number: '+1 202 555 0171' } });
  const [view, ownView] = await bothViews();
  expect(ownView).toMatchObject({ phone_number: '+12025550171', devices: [{ name: 'Den PC' }], alerts: [{ uuid: alert }] });
  expect(view).toEqual({ ...ownView, phone_number: '••••71' });
});

test('the log of a whole session contains neither the key, nor the cookie, nor the email address', async () => {
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
  const wrongKeyReply = await server.call(`POST /guardian/${bob.uuid}/session`, { body: { key: [key] } });
  expect(wrongKeyReply.status).toBe(422);
  expect(JSON.stringify(wrongKeyReply.body)).not.toContain(key);
  await server.call(`GET /guardian/${bob.uuid}/${key}`, { headers: bob.session });
  const cookie = /guardian_session=([^;]+)/.exec(bob.session.cookie ?? '')?.[1] ?? '';
  expect(cookie.length).toBeGreaterThan(20);
  const log = server.logged();
  expect(log).toContain('/api/guardian/:id/session');
  for (const secret of [key, cookie, bob.email]) expect(log).not.toContain(secret);
});

test('the account stores when an active guardian last left; an invitation that is declined changes nothing', async () => {
  const [ann, neighbour] = [await person(server), await person(server)];
  const goneOf = async ({ email }: { email: string }) =>
    (
      await server.db
        .selectFrom('accounts')
        .leftJoin('hold_settings', 'hold_settings.account', 'accounts.uuid')
        .select('guardian_gone')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
    ).guardian_gone;
  const leave = (guardian: { uuid: string; session: Record<string, string> }) =>
    server.call(`POST /guardian/${guardian.uuid}/leave`, { headers: guardian.session });
  const [bob, carol, eve] = [
    await activeGuardian(server, ann.token, 'Bob'),
    await activeGuardian(server, ann.token, 'Carol'),
    await activeGuardian(server, neighbour.token, 'Eve'),
  ];
  const dan = await invite(ann.token);
  await server.call(`POST /guardian/${dan.uuid}/decline`, { headers: dan.session });
  expect([await goneOf(ann), await goneOf(neighbour)]).toEqual([null, null]);
  server.clock.turn(minute);
  await leave(bob);
  const bobLeft = server.clock.now();
  expect([await goneOf(ann), await goneOf(neighbour)]).toEqual([bobLeft, null]);
  server.clock.turn(minute);
  // Leaving twice is one departure.
  await leave(bob);
  expect([await goneOf(ann), await goneOf(neighbour)]).toEqual([bobLeft, null]);
  await leave(eve);
  expect([await goneOf(ann), await goneOf(neighbour)]).toEqual([bobLeft, server.clock.now()]);
  server.clock.turn(minute);
  // An active guardian who declines in another window leaves.
  await server.call(`POST /guardian/${carol.uuid}/decline`, { headers: carol.session });
  expect(await goneOf(ann)).toEqual(server.clock.now());
});
