import { randomBytes, randomUUID } from 'node:crypto';
import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  activeGuardian,
  detection,
  guardianSession,
  guardsByCalls,
  linkedDevice,
  linkIn,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const add = (token: string, name: string, email: string) => server.call('POST /web/create-guardian', { token, body: { name, email } });

test('[7.28] [7.29] [3.15] [4.39] a guardian is pending until they accept with the button, and then active', async () => {
  const { token } = await person(server, 'Ann Example');
  const { body } = await add(token, 'Bob', 'bob1@example.org');
  const expectedGuardian = { uuid: body.uuid, name: 'Bob', email: 'bob1@example.org', active: false, state: 'pending' };
  expect(body).toEqual({
    ...expectedGuardian,
    mail: true,
    texts: 'off',
    last_looked: null,
    trouble: null,
    unreachable: false,
    may_isolate: null,
    position: null,
  });
  const [mail] = await server.mailsTo('bob1@example.org');
  expect(mail?.subject).toBe('Ann asks you to be a guardian');
  expect(mail?.text).toContain(`http://localhost:4380/dashboard/guardian/${body.uuid}/`);

  const session = await guardianSession(server, String(body.uuid), 'bob1@example.org');
  const pendingPage = await server.call(`GET /guardian/${body.uuid}`, { headers: session });
  expect(pendingPage.body).toMatchObject({ state: 'pending', name: 'Bob', holder_name: 'Ann', devices: [], alerts: [] });
  const acceptReply = await server.call(`POST /guardian/${body.uuid}/accept`, { headers: session });
  expect(acceptReply.body).toMatchObject({ state: 'active' });
  expect((await server.call('GET /web/guardians', { token })).body).toMatchObject({ guardians: [{ uuid: body.uuid, active: true }] });
});

test('[P5.2] an active guardian sees devices and alerts, and nothing else about the holder', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const bob = await activeGuardian(server, token);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
  const { body } = await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session });
  const phone = ['phone_number', 'phone_number_host', 'phone_number_opted_out', 'phone_number_verified'];
  const incident = ['incidents', 'requests'];
  expect(Object.keys(body).sort()).toEqual(
    ['alerts', 'devices', 'every_week', 'holder_name', 'mail', 'name', ...phone, 'plan', 'sms', 'state', 'weekly', ...incident].toSorted(),
  );
  expect(Object.keys(body.devices?.[0] ?? {}).sort()).toEqual([
    ...['known', 'last_detection', 'last_seen', 'name', 'outage', 'person', 'uuid'],
  ]);
  expect(body).toMatchObject({
    devices: [{ name: 'Den PC' }],
    alerts: [{ name: 'AnyDesk', device_name: 'Den PC', blocked: true, times: 1 }],
  });
  const text = JSON.stringify(body);
  expect(text).not.toContain(email);
  expect(text).not.toContain('Example');
  expect(text).not.toContain('/tmp/AnyDesk');
});

test('[7.31] resending the link invalidates the previous one and its open page', async () => {
  const { token } = await person(server);
  const bob = await guardsByCalls(server, token, 'Bob', `${randomUUID()}@example.org`);
  const oldLink = linkIn((await server.mailsTo(bob.email))[0], `/guardian/${bob.uuid}/`);
  expect((await server.call(`POST /web/guardians/${bob.uuid}/resend`, { token })).status).toBe(200);
  expect(await server.call(`POST /guardian/${bob.uuid}/session`, { body: { key: oldLink } })).toMatchObject({
    status: 410,
    body: { code: 'guardian_link_dead' },
  });
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).status).toBe(410);
  const newSession = await guardianSession(server, bob.uuid, bob.email);
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: newSession })).body).toMatchObject({ state: 'active' });
});

test('[7.30] a removed guardian has no access and gets no alerts; other guardians are unaffected', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const bob = await activeGuardian(server, token);
  const cleo = await activeGuardian(server, token, 'Cleo');
  expect((await server.call(`DELETE /web/guardians/${bob.uuid}`, { token })).status).toBe(200);
  const countBefore = (await server.mailsTo(bob.email)).length;
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
  expect(await server.mailsTo(bob.email)).toHaveLength(countBefore);
  expect((await server.mailsTo(cleo.email))[0]?.subject).toContain('AnyDesk');
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).status).toBe(410);
  expect((await server.call(`GET /guardian/${cleo.uuid}`, { headers: cleo.session })).body).toMatchObject({ state: 'active' });
  expect((await server.call('GET /web/guardians', { token })).body).toMatchObject({ guardians: [{ uuid: cleo.uuid, active: true }] });
});

test("a guardian's cookie opens only their own page, and changes need the XSRF header", async () => {
  const [a, b] = [await person(server), await person(server)];
  const [bob, eve] = [await activeGuardian(server, a.token), await activeGuardian(server, b.token)];
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: eve.session })).status).toBe(410);
  const { cookie = '' } = bob.session;
  const withoutCookie = await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: { cookie } });
  expect(withoutCookie).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  const wrongTokenReply = await server.call(`POST /guardian/${bob.uuid}/accept`, { headers: { cookie, 'x-xsrf-token': 'guess' } });
  expect(wrongTokenReply.status).toBe(403);
});

test('[7.43] a pair of XSRF cookie and header passes only if the server made it for this session', async () => {
  const [bob, eve] = [
    await activeGuardian(server, (await person(server)).token),
    await activeGuardian(server, (await person(server)).token),
  ];
  const session = /guardian_session=[^;]+/.exec(bob.session.cookie ?? '')?.[0] ?? '';
  const endSession = async (cookie: string, header: string) =>
    (await server.call(`DELETE /guardian/${bob.uuid}/sessions/${randomUUID()}`, { headers: { cookie, 'x-xsrf-token': header } })).status;
  const tokenOf = ({ session: headers }: typeof bob) => String(headers['x-xsrf-token']);
  for (const own of ['guess', randomBytes(32).toString('base64url'), tokenOf(eve), `${tokenOf(bob)}x`])
    expect(await endSession(`${session}; XSRF-TOKEN=${own}`, own), own).toBe(403);
  expect(await endSession(session, tokenOf(bob))).toBe(403);
  expect(await endSession(`${session}; XSRF-TOKEN=${tokenOf(bob)}`, tokenOf(bob))).toBe(404);
});

test('[7.43] one browser can use the pages of two guardians, and a lost XSRF cookie comes again with the page', async () => {
  const cookies = new Map<string, string>();
  /** The cookies of a browser: the session cookie of each page has its own path. */
  const call = async (key: string, page: string, body?: object) => {
    const [xsrf, session] = [cookies.get('XSRF-TOKEN'), cookies.get(page)];
    const cookie = [session && `guardian_session=${session}`, xsrf && `XSRF-TOKEN=${xsrf}`].filter(Boolean).join('; ');
    const { status, headers } = await server.call(key, { ...(body ? { body } : {}), headers: { cookie, 'x-xsrf-token': xsrf ?? '' } });
    for (const text of [headers['set-cookie'] ?? []].flat().map(String)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name === 'guardian_session' ? page : name, value);
    }
    return status;
  };
  const pages = await Promise.all(
    ['Bob', 'Cleo'].map(async (name) => {
      const { uuid, email } = await guardsByCalls(server, (await person(server)).token, name, `${randomUUID()}@example.org`);
      return { uuid, key: linkIn((await server.mailsTo(email))[0], `/guardian/${uuid}/`) };
    }),
  );
  const tries = () => Promise.all(pages.map(({ uuid }) => call(`DELETE /guardian/${uuid}/sessions/${randomUUID()}`, uuid)));
  for (const { uuid, key } of pages) await call(`POST /guardian/${uuid}/session`, uuid, { key });
  expect(await tries()).toEqual([404, 404]);
  cookies.delete('XSRF-TOKEN');
  expect(await tries()).toEqual([403, 403]);
  for (const { uuid } of pages) expect(await call(`GET /guardian/${uuid}`, uuid)).toBe(200);
  expect(await tries()).toEqual([404, 404]);
});

test("the guardian's cookie is hidden from scripts and other sites", async () => {
  const { token } = await person(server);
  const { body } = await add(token, 'Bob', 'bob9@example.org');
  const key = linkIn((await server.mailsTo('bob9@example.org'))[0], `/guardian/${body.uuid}/`);
  const { headers } = await server.call(`POST /guardian/${body.uuid}/session`, { body: { key } });
  const cookie = [headers['set-cookie'] ?? []]
    .flat()
    .map(String)
    .find((c) => c.startsWith('guardian_session='));
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Strict/);
  expect(cookie).toContain(`Path=/api/guardian/${body.uuid}`);
  expect(server.logged()).not.toContain(key);
});

test('A12: a guardian sees their sessions and can end one without ending the others', async () => {
  const [ann, eve] = [await person(server), await person(server)];
  const bob = await guardsByCalls(server, ann.token, 'Bob', `${randomUUID()}@example.org`);
  const otherGuardian = await activeGuardian(server, eve.token);
  const key = linkIn((await server.mailsTo(bob.email))[0], `/guardian/${bob.uuid}/`);
  const openPage = async (agent: string, extraHeaders: Record<string, string> = {}) => {
    const { headers } = await server.call(`POST /guardian/${bob.uuid}/session`, {
      body: { key },
      headers: { 'user-agent': agent, ...extraHeaders },
    });
    return String([headers['set-cookie']].flat().find((c) => String(c).startsWith('guardian_session='))).split(';')[0] ?? '';
  };
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  server.clock.turn(120_000);
  const stranger = await openPage(firefox);
  server.clock.turn(120_000);
  const list = async (headers = bob.session) =>
    (await server.call(`GET /guardian/${bob.uuid}/sessions`, { headers })).body.sessions as unknown as {
      uuid: string;
      browser: string;
      current: boolean;
    }[];
  expect((await list()).map(({ browser, current }) => [browser, current])).toEqual([
    ['A browser', true],
    ['Firefox on Linux', false],
  ]);
  const otherSession = (await list()).find(({ current }) => !current);
  // Neither another guardian nor a request without the XSRF header can end a guardian's session.
  expect(
    await server.call(`DELETE /guardian/${otherGuardian.uuid}/sessions/${otherSession?.uuid}`, { headers: otherGuardian.session }),
  ).toMatchObject({
    status: 404,
  });
  const { cookie = '' } = bob.session;
  expect((await server.call(`DELETE /guardian/${bob.uuid}/sessions/${otherSession?.uuid}`, { headers: { cookie } })).status).toBe(403);
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: { cookie: stranger } })).status).toBe(200);
  expect((await server.call(`DELETE /guardian/${bob.uuid}/sessions/${otherSession?.uuid}`, { headers: bob.session })).status).toBe(200);
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: { cookie: stranger } })).status).toBe(410);
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).status).toBe(200);
  expect((await server.call(`GET /guardian/${otherGuardian.uuid}`, { headers: otherGuardian.session })).status).toBe(200);
  const reopenedPage = await openPage('', { cookie });
  expect(await list({ cookie: reopenedPage })).toHaveLength(1);
  expect(JSON.stringify(await list({ cookie: reopenedPage }))).not.toContain(reopenedPage.split('=')[1]);
});

test('[P5.1] an invitation expires after fourteen days, and again after it is resent', async () => {
  const { token } = await person(server);
  const { body } = await add(token, 'Bob', 'late@example.org');
  const session = await guardianSession(server, String(body.uuid), 'late@example.org');
  const state = async () => (await server.call('GET /web/guardians', { token })).body.guardians?.[0]?.state;
  server.clock.turn(14 * day - 1);
  expect((await server.call(`GET /guardian/${body.uuid}`, { headers: session })).body).toMatchObject({ state: 'pending' });
  expect(await state()).toBe('pending');
  server.clock.turn(1);
  expect((await server.call(`GET /guardian/${body.uuid}`, { headers: session })).body).toMatchObject({ state: 'expired' });
  expect(await state()).toBe('expired');
  const expiredLinkReply = { status: 410, body: { code: 'link_expired' } };
  for (const invite of ['accept', 'decline']) {
    expect(await server.call(`POST /guardian/${body.uuid}/${invite}`, { headers: session }), invite).toMatchObject(expiredLinkReply);
  }
  await server.call(`POST /web/guardians/${body.uuid}/resend`, { token });
  server.clock.turn(14 * day - 1);
  expect(await state()).toBe('pending');
  const newSession = await guardianSession(server, String(body.uuid), 'late@example.org');
  expect((await server.call(`POST /guardian/${body.uuid}/accept`, { headers: newSession })).body).toMatchObject({ state: 'active' });
});

test('[P5.1] an account has at most five guardians and no address twice, even in simultaneous requests', async () => {
  const { token } = await person(server);
  const replies = await Promise.all(Array.from({ length: 7 }, (_, i) => add(token, `G${i}`, `many${i}@example.org`)));
  expect(replies.filter((r) => r.status === 200)).toHaveLength(5);
  expect(replies.filter((r) => String(r.body.code) === 'guardian_limit')).toHaveLength(2);
  const otherHolder = await person(server);
  await add(otherHolder.token, 'Bob', 'twice@example.org');
  expect(await add(otherHolder.token, 'Bob', 'TWICE@example.org')).toMatchObject({ status: 409, body: { code: 'guardian_exists' } });
});

test("[5.20] a guardian's name has at most 40 characters and the email address at most 400", async () => {
  const { token } = await person(server);
  expect(await add(token, 'x'.repeat(41), 'ok@example.org')).toMatchObject({
    status: 422,
    body: { fields: [{ field: 'Name', tag: 'max' }] },
  });
  expect((await add(token, 'x'.repeat(40), 'ok@example.org')).status).toBe(200);
  expect(await add(token, 'Bob', `${'x'.repeat(400)}@example.org`)).toMatchObject({
    status: 422,
    body: { fields: [{ field: 'Email', tag: 'max' }] },
  });
});

test('each of several guardians has a preview, page visits and a resent link of their own', async () => {
  const { token } = await person(server);
  const [bob, carol] = [await activeGuardian(server, token, 'Bob'), await activeGuardian(server, token, 'Carol')];
  await server.call(`GET /guardian/${carol.uuid}`, { headers: carol.session });
  const about = async (uuid: string) => ({
    name: (await server.call(`GET /web/guardians/${uuid}/view`, { token })).body.name,
    visits: ((await server.call(`GET /web/guardians/${uuid}/looks`, { token })).body.looks as unknown as string[]).length,
  });
  expect([await about(bob.uuid), await about(carol.uuid)]).toEqual([
    { name: 'Bob', visits: 0 },
    { name: 'Carol', visits: 1 },
  ]);
  const before = { bob: await server.mailsTo(bob.email), carol: await server.mailsTo(carol.email) };
  expect((await server.call(`POST /web/guardians/${carol.uuid}/resend`, { token })).status).toBe(200);
  expect(await server.mailsTo(carol.email)).toHaveLength(before.carol.length + 1);
  expect(await server.mailsTo(bob.email)).toHaveLength(before.bob.length);
});

test("another account's guardian is treated as unknown", async () => {
  const [a, b] = [await person(server), await person(server)];
  const bob = await activeGuardian(server, a.token);
  expect((await server.call(`DELETE /web/guardians/${bob.uuid}`, { token: b.token })).status).toBe(404);
  expect((await server.call(`POST /web/guardians/${bob.uuid}/resend`, { token: b.token })).status).toBe(404);
  for (const part of ['view', 'looks'])
    expect((await server.call(`GET /web/guardians/${bob.uuid}/${part}`, { token: b.token })).status, part).toBe(404);
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).status).toBe(200);
});
