import type { PushSubscriptionBody } from '@porchlight/contract/push.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementsOf } from '../../testing/statements.ts';
import {
  activeGuardian,
  detection,
  fakeAddress,
  goodPassword,
  guardianSession,
  guardsByCalls,
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

let browserCount = 0;
/** A browser with a name of its own. */
async function browser() {
  const label = `Browser ${browserCount++}`;
  return { label, subscription: await server.pushes.subscribe(label) };
}

/** A holder with a guardian and a device; `subscribe` and `end` are those of the holder's and the guardian's page. */
async function household() {
  const { token, email } = await person(server);
  // The link of the invitation opens further sessions.
  const bob = await guardsByCalls(server, token, 'Bob', `${crypto.randomUUID()}@example.org`);
  const { agent } = await linkedDevice(server, token);
  const alert = async (changes: Parameters<typeof detection>[1] = {}) => {
    const reported = detection(server, { identifier: crypto.randomUUID(), ...changes });
    await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
    return reported;
  };
  const deliveriesOf = async (uuid: string) => {
    await server.app.worker.idle();
    return (await server.call(`GET /web/detections/${uuid}`, { token })).body.notified as unknown as { name: string; channel: string }[];
  };
  return {
    ...{ token, email, bob, alert, deliveriesOf },
    holderSubscribes: (body: PushSubscriptionBody) => server.call('POST /web/push', { token, body }),
    guardianSubscribes: (body: PushSubscriptionBody, headers = bob.session) =>
      server.call(`POST /guardian/${bob.uuid}/push`, { headers, body }),
  };
}

const titlesTo = async (label: string) => (await server.pushes.to(label)).map(({ title }) => title);
const rowsOf = async (person: string) =>
  (await server.db.selectFrom('push_subscriptions').selectAll().where('person', '=', person).execute()).length;

test('[P11.6] an alert arrives in the browsers of the holder and of the guardian, encrypted, with what the email says and where it leads', async () => {
  const { holderSubscribes, guardianSubscribes, alert, deliveriesOf, bob, email } = await household();
  const [ann, bobs, other] = [await browser(), await browser(), await browser()];
  expect(await holderSubscribes(ann.subscription)).toMatchObject({ status: 200, body: {} });
  expect(await guardianSubscribes(bobs.subscription)).toMatchObject({ status: 200, body: {} });
  const reported = await alert();
  const [toAnn] = await server.pushes.to(ann.label);
  expect(toAnn).toMatchObject({
    title: (await server.mailsTo(email))[0]?.subject,
    url: `http://localhost:4380/dashboard/detection/${reported.uuid}`,
    tag: `alert:${reported.uuid}`,
  });
  expect(toAnn?.body).toBe(
    'What looks like AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. We closed it right away. If someone is on the phone with you, hang up now.',
  );
  const [toBob] = await server.pushes.to(bobs.label);
  expect(toBob?.title).toBe('Ann may need you: What looks like AnyDesk was blocked on Den PC');
  expect(toBob?.url).toMatch(new RegExp(`^http://localhost:4380/dashboard/guardian/${bob.uuid}/[\\w-]+$`));
  expect(await titlesTo(other.label)).toEqual([]);
  expect(await deliveriesOf(reported.uuid)).toMatchObject([
    { name: 'You', channel: 'mail', state: 'sent' },
    { name: 'You', channel: 'push', state: 'sent' },
    { name: 'Bob', channel: 'mail', state: 'sent' },
    { name: 'Bob', channel: 'push', state: 'sent' },
  ]);
  // The link of a guardian is in neither the job nor the log.
  const jobs = await server.db.selectFrom('jobs').select('payload').where('kind', '=', 'push').execute();
  expect(jobs.map(({ payload }) => payload)).toEqual([{}, {}]);
});

test('without a browser there is no push job and no delivery by push', async () => {
  const { alert, deliveriesOf } = await household();
  const { uuid } = await alert();
  expect((await deliveriesOf(uuid)).map(({ channel }) => channel)).toEqual(['mail', 'mail']);
});

test('[P11.6] a person’s browsers all get the message; the browser that is switched off gets nothing more, the others do', async () => {
  const { token, holderSubscribes, alert } = await household();
  const [first, second] = [await browser(), await browser()];
  await holderSubscribes(first.subscription);
  await holderSubscribes(second.subscription);
  // The same one again changes nothing.
  await holderSubscribes(second.subscription);
  await alert();
  expect([(await titlesTo(first.label)).length, (await titlesTo(second.label)).length]).toEqual([1, 1]);
  expect((await server.call('POST /web/push/end', { token, body: first.subscription })).status).toBe(200);
  expect((await server.call('POST /web/push/end', { token, body: first.subscription })).status).toBe(200);
  await alert();
  expect([(await titlesTo(first.label)).length, (await titlesTo(second.label)).length]).toEqual([1, 2]);
});

test('[P11.6] one browser may belong to two people, and ends for one of them alone', async () => {
  const [one, another] = [await household(), await household()];
  const shared = await browser();
  await one.guardianSubscribes(shared.subscription);
  await another.guardianSubscribes(shared.subscription);
  await one.alert();
  await another.alert();
  expect((await titlesTo(shared.label)).length).toBe(2);
  await server.call(`POST /guardian/${one.bob.uuid}/push/end`, { headers: one.bob.session, body: shared.subscription });
  await one.alert();
  expect((await titlesTo(shared.label)).length).toBe(2);
  await another.alert();
  expect((await titlesTo(shared.label)).length).toBe(3);
});

test('only the newest ten browsers of a person are stored; subscribing again makes a browser the newest', async () => {
  const { holderSubscribes, guardianSubscribes, alert, bob } = await household();
  const browsers = [];
  for (let i = 0; i <= serverLimits.push_subscriptions_max; i++) browsers.push(await browser());
  const [first, second] = browsers;
  const bobs = await browser();
  await guardianSubscribes(bobs.subscription);
  for (const { subscription } of browsers.slice(0, -1)) {
    await holderSubscribes(subscription);
    server.clock.turn(1000);
  }
  if (first) await holderSubscribes(first.subscription);
  server.clock.turn(1000);
  await holderSubscribes(browsers.at(-1)?.subscription as PushSubscriptionBody);
  await alert();
  const counts = await Promise.all(browsers.map(async ({ label }) => (await titlesTo(label)).length));
  expect(counts).toEqual(browsers.map((one) => (one === second ? 0 : 1)));
  expect(await rowsOf(bob.uuid)).toBe(1);
});

test('[P11.6] a subscription of an unknown push service is refused, so that this server posts to no other address', async () => {
  const { holderSubscribes, guardianSubscribes, bob } = await household();
  const { subscription } = await browser();
  for (const endpoint of ['https://127.0.0.1/x', 'https://fcm.googleapis.com.example/x', 'http://fcm.googleapis.com/x']) {
    for (const subscribe of [holderSubscribes, guardianSubscribes])
      expect(await subscribe({ ...subscription, endpoint })).toMatchObject({ status: 422, body: { code: 'push_service_unknown' } });
  }
  expect(await rowsOf(bob.uuid)).toBe(0);
  const wrongKeys = { ...subscription, keys: { ...subscription.keys, auth: 'short' } };
  expect(await holderSubscribes(wrongKeys)).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
});

test('a person cannot end the push messages of another one by knowing the endpoint', async () => {
  const [ann, eve] = [await household(), await household()];
  const { label, subscription } = await browser();
  await ann.holderSubscribes(subscription);
  await server.call('POST /web/push/end', { token: eve.token, body: subscription });
  await server.call(`POST /guardian/${eve.bob.uuid}/push/end`, { headers: eve.bob.session, body: subscription });
  await ann.alert();
  expect((await titlesTo(label)).length).toBe(1);
});

test('[P11.6] the subscriptions of a guardian end when the guardian leaves, is removed, or gets a new link, and no others do', async () => {
  const endings: [string, (home: Awaited<ReturnType<typeof household>>) => Promise<unknown>][] = [
    ['leaves', ({ bob }) => server.call(`POST /guardian/${bob.uuid}/leave`, { headers: bob.session })],
    ['is removed', ({ bob, token }) => server.call(`DELETE /web/guardians/${bob.uuid}`, { token })],
    ['gets a new link', ({ bob, token }) => server.call(`POST /web/guardians/${bob.uuid}/resend`, { token })],
  ];
  for (const [what, ending] of endings) {
    const home = await household();
    const carol = await activeGuardian(server, home.token, 'Carol');
    const [bobs, carols] = [await browser(), await browser()];
    await home.guardianSubscribes(bobs.subscription);
    await server.call(`POST /guardian/${carol.uuid}/push`, { headers: carol.session, body: carols.subscription });
    expect(await rowsOf(home.bob.uuid), what).toBe(1);
    expect(await ending(home), what).toMatchObject({ status: 200 });
    expect([await rowsOf(home.bob.uuid), await rowsOf(carol.uuid)], what).toEqual([0, 1]);
  }
});

test('[P11.6] a guardian’s browser whose session is ended elsewhere gets nothing more, and their other browser does', async () => {
  const { bob, guardianSubscribes, alert } = await household();
  const [lost, own] = [await browser(), await browser()];
  await guardianSubscribes(lost.subscription);
  const otherSession = await guardianSession(server, bob.uuid, bob.email);
  await guardianSubscribes(own.subscription, otherSession);
  const { sessions } = (await server.call(`GET /guardian/${bob.uuid}/sessions`, { headers: otherSession })).body;
  const lostSession = (sessions as unknown as { uuid: string; current: boolean }[]).find(({ current }) => !current);
  await server.call(`DELETE /guardian/${bob.uuid}/sessions/${lostSession?.uuid}`, { headers: otherSession });
  await alert();
  expect([(await titlesTo(lost.label)).length, (await titlesTo(own.label)).length]).toEqual([0, 1]);
});

test('[P11.6] a holder’s browser gets no push messages after a logout, after its session was ended elsewhere, or after the password was changed', async () => {
  const { token, email, holderSubscribes, alert } = await household();
  const login = async () =>
    String(
      (await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: { 'x-forwarded-for': fakeAddress() } }))
        .body.web_token,
    );
  const [own, loggedOut, ended, other] = [await browser(), await browser(), await browser(), await browser()];
  await holderSubscribes(own.subscription);
  const tokens = [await login(), await login(), await login()];
  for (const [i, { subscription }] of [loggedOut, ended, other].entries())
    await server.call('POST /web/push', { token: tokens[i] ?? '', body: subscription });
  await server.call('POST /web/logout', { token: tokens[0] ?? '' });
  const { sessions } = (await server.call('GET /web/accounts/sessions', { token: tokens[1] ?? '' })).body;
  const endedSession = (sessions as unknown as { uuid: string; current: boolean }[]).find(({ current }) => current);
  await server.call(`DELETE /web/accounts/sessions/${endedSession?.uuid}`, { token });
  await alert();
  const counts = async () => Promise.all([own, loggedOut, ended, other].map(async ({ label }) => (await titlesTo(label)).length));
  expect(await counts()).toEqual([1, 0, 0, 1]);
  const body = { password: 'another long phrase of hers', current_password: goodPassword };
  expect((await server.call('PATCH /web/profile', { token, body })).status).toBe(200);
  await server.pushes.to(own.label);
  const before = await counts();
  await alert();
  expect((await counts()).map((count, i) => count - (before[i] ?? 0))).toEqual([1, 0, 0, 0]);
});

test('[P11.6] push comes to a guardian who wants neither emails nor texts', async () => {
  const { bob, guardianSubscribes, alert } = await household();
  const bobs = await browser();
  await guardianSubscribes(bobs.subscription);
  await server.call(`PATCH /guardian/${bob.uuid}`, { headers: bob.session, body: { mail: false } });
  await server.pushes.to(bobs.label);
  await alert();
  expect((await titlesTo(bobs.label)).at(-1)).toBe('Ann may need you: What looks like AnyDesk was blocked on Den PC');
});

test('a notification reads the browsers of all its recipients in one query, however many guardians there are', async () => {
  const { token, alert, guardianSubscribes } = await household();
  const carol = await activeGuardian(server, token, 'Carol');
  const [bobs, carols] = [await browser(), await browser()];
  await guardianSubscribes(bobs.subscription);
  await server.call(`POST /guardian/${carol.uuid}/push`, { headers: carol.session, body: carols.subscription });
  const statements = await statementsOf(async () => void (await alert()));
  const queries = statements.filter(({ text }) => text.includes('push_subscriptions') && text.includes('"service"'));
  expect(queries.length).toBe(1);
  expect([(await titlesTo(bobs.label)).length, (await titlesTo(carols.label)).length]).toEqual([1, 1]);
});

test('[P11.6] with PUSH=off nobody can subscribe, those who had subscribed get nothing by push, and emails still come', async () => {
  const { email, token, holderSubscribes, alert, bob } = await household();
  const { label, subscription } = await browser();
  await holderSubscribes(subscription);
  const off = await testServer({ PUSH: 'off' }, undefined, { otherServer: server });
  try {
    expect(await off.call('POST /web/push', { token, body: subscription })).toMatchObject({ status: 409, body: { code: 'push_off' } });
    expect(await off.call(`POST /guardian/${bob.uuid}/push`, { headers: bob.session, body: subscription })).toMatchObject({
      body: { code: 'push_off' },
    });
    await off.call('POST /web/fire-drill', { token });
    expect((await off.mailsTo(email)).map(({ subject }) => subject)).toContain('Practice alert: nothing happened');
    expect(await titlesTo(label)).toEqual([]);
    expect((await off.call('POST /web/push/end', { token, body: subscription })).status).toBe(200);
  } finally {
    await off.close();
  }
  await alert();
  expect(await titlesTo(label)).toEqual([]);
});

test('servers on one database share one key pair, whose private half is sealed, and the pages get the public one', async () => {
  const other = await testServer({}, undefined, { otherServer: server });
  try {
    const { token } = await person(server);
    const { label, subscription } = await browser();
    await other.call('POST /web/push', { token, body: subscription });
    await other.call('POST /web/fire-drill', { token });
    await other.app.worker.idle();
    expect((await titlesTo(label)).length).toBe(1);
  } finally {
    await other.close();
  }
  const keys = await server.db.selectFrom('server_keys').selectAll().where('purpose', '=', 'push').execute();
  expect(keys.length).toBe(1);
  expect(Buffer.from(keys[0]?.public_key ?? '', 'base64url').length).toBe(65);
  expect(Buffer.from(keys[0]?.sealed_private_key ?? '', 'base64url').length).toBeGreaterThan(60);
});

test('the simulator gives out subscriptions to pages of this server only', async () => {
  const ask = async (headers: Record<string, string>) =>
    server.app.http.inject({ method: 'POST', url: '/dev/push', headers, payload: { label: 'Bob’s phone' } });
  const given = await ask({ 'sec-fetch-site': 'same-origin' });
  expect([given.statusCode, Object.keys(given.json())]).toEqual([200, ['endpoint', 'keys']]);
  expect((await ask({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(404);
  const { token } = await person(server);
  expect((await server.call('POST /web/push', { token, body: given.json() })).status).toBe(200);
  await server.call('POST /web/fire-drill', { token });
  expect(await titlesTo('Bob’s phone')).toEqual(['Practice alert: nothing happened']);
});
