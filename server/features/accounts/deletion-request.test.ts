import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { accountTables } from '../../db/account-data.ts';
import { enqueuer } from '../../jobs/queue.ts';
import { dateInWords, dayInWords } from '../../lib/formatting.ts';
import { accountIdOf, planStates, rowsOfAccount, rowsWith } from '../../testing/account-rows.ts';
import { bodyWords } from '../../testing/body-words.ts';
import { fillTables, incidentAccount } from '../../testing/full-account.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import {
  activeGuardian,
  detection,
  endIncidents,
  fakeAddress,
  goodPassword,
  linkedDevice,
  linkIn,
  newcomer,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';
import { deletionAskedEmail, deletionReminderEmail } from './deletion-email.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => server.close());

const proof = { current_password: goodPassword };
const ask = (token: string, body: object = proof) => server.call('POST /web/account/deletion', { token, body });
const stop = (token: string) => server.call('POST /web/account/deletion/stop', { token });
const keep = (token: string) => server.call('POST /keep-account', { body: { token }, headers: { 'x-forwarded-for': fakeAddress() } });
const deletesOf = async (token: string) => (await server.call('GET /web/account/deletion', { token })).body.deletes;
const subjectsTo = async (email: string) => (await server.mailsTo(email)).map(({ subject }) => subject);
/** The links of the emails that keep the account, the oldest first. */
const keepLinks = async (email: string) =>
  (await server.mailsTo(email))
    .map((mail) => linkIn(mail, '/dashboard/keep-account/'))
    .filter(Boolean)
    .toReversed();
const exists = async (email: string) =>
  (await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).execute()).length === 1;
const logged = async (token: string, kind: string) =>
  ((await server.call('GET /web/acts', { token })).body.items as unknown as { kind: string; words: string }[]).filter(
    (entry) => entry.kind === kind,
  );

/** Time as a running server sees it: the hourly checks run. */
async function pass(ms: number) {
  for (let left = ms; left > 0; left -= 6 * hour) {
    server.clock.turn(Math.min(left, 6 * hour));
    await server.app.worker.idle();
  }
}

async function family() {
  const user = await person(server);
  const device = await linkedDevice(server, user.token);
  return { ...user, device, guardian: await activeGuardian(server, user.token) };
}

/** These change with time: jobs run, and the checks of computers go on. */
const changing = ['jobs', 'device_outages', 'device_watch'];

test('[P13.2] seven days after its holder asked, an account has no row in any table and no plan; a second account stays, row by row', async () => {
  const ann = await incidentAccount(server, 'Ann', '+12025550101');
  const eve = await incidentAccount(server, 'Eve', '+12025550102');
  await endIncidents(server);
  const [annsPlan, evesPlan] = [await planStates(server, ann.account), await planStates(server, eve.account)];
  const { body: login } = await server.call('POST /login/web', { body: { email: ann.email, password: goodPassword } });
  const token = String(login.web_token);

  const { status, body } = await ask(token);
  expect([status, body]).toEqual([200, { deletes: new Date(server.clock.now().getTime() + 7 * day).toISOString() }]);
  await pass(7 * day - 10 * minute);
  expect(await deletesOf(token)).toEqual(body.deletes);
  for (const one of [ann, eve]) await fillTables(server, one);
  const [before, evesBefore] = [await rowsOfAccount(server, ann), await rowsOfAccount(server, eve)];
  for (const { name } of accountTables) expect([name, before[name]?.length]).not.toEqual([name, 0]);
  expect(await annsPlan()).toEqual(['trialing']);
  // An hourly check is within it, and nothing of the second account ends by itself.
  await pass(30 * minute);

  const after = await rowsOfAccount(server, ann);
  for (const { name } of accountTables) expect([name, after[name]]).toEqual([name, []]);
  expect(await rowsWith(server, [ann.account, ann.email, ann.device, ann.guardian, ann.guardian_email, ann.incident])).toEqual([]);
  const evesAfter = await rowsOfAccount(server, eve);
  for (const { name } of accountTables) if (!changing.includes(name)) expect([name, evesAfter[name]]).toEqual([name, evesBefore[name]]);
  expect(evesAfter.accounts).toHaveLength(1);
  expect([await annsPlan(), await evesPlan()]).toEqual([['canceled'], ['trialing']]);
});

test('[P13.2] until the date everything works; then the agent learns that it was removed, the pages are dead, and the holder gets one last email', async () => {
  const [ann, eve] = [await family(), await family()];
  expect((await ask(ann.token)).status).toBe(200);
  const replies = async ({ device, token, guardian }: typeof ann) => [
    (await server.call('GET /agent/policy', { token: device.agent })).status,
    (await server.call(`GET /guardian/${guardian.uuid}`, { headers: guardian.session })).status,
    (await server.call('GET /web/profile', { token })).status,
  ];
  await pass(6 * day + 23 * hour);
  expect(await replies(ann)).toEqual([200, 200, 200]);
  await pass(2 * hour);
  expect([await replies(ann), await replies(eve)]).toEqual([
    [410, 410, 401],
    [200, 200, 200],
  ]);
  expect((await server.call('GET /agent/policy', { token: ann.device.agent })).body.code).toBe('device_removed');
  expect((await subjectsTo(ann.email)).filter((subject) => subject === 'Your account was deleted')).toHaveLength(1);
  expect(await subjectsTo(eve.email)).not.toContain('Your account was deleted');
});

test('[P13.2] the holder is emailed at once and a day before, each with a link that keeps the account; guardians are notified at once', async () => {
  const ann = await family();
  await server.mailsTo(ann.email);
  await ask(ann.token);
  const deletes = new Date(server.clock.now().getTime() + 7 * day);
  const sentence = `Ann asked us to delete the account on ${dateInWords(deletes, 'UTC')}.`;
  expect((await subjectsTo(ann.email))[0]).toBe(`Your account will be deleted on ${dayInWords(deletes, 'UTC')}`);
  expect((await server.mailsTo(ann.guardian.email))[0]?.text).toContain(sentence);
  expect(await logged(ann.token, 'deletion_asked')).toMatchObject([{ words: sentence }]);
  await pass(5 * day + 23 * hour);
  expect(await keepLinks(ann.email)).toHaveLength(1);
  await pass(2 * hour);
  expect((await subjectsTo(ann.email))[0]).toBe('One day left to keep your account');
  const links = await keepLinks(ann.email);
  expect(new Set(links).size).toBe(2);
  await pass(20 * hour);
  expect(await keepLinks(ann.email)).toHaveLength(2);
  // The older link works as well.
  expect((await keep(String(links[0]))).status).toBe(200);
  expect(await deletesOf(ann.token)).toBeNull();
});

test.each([
  ['a press', ({ token }: { token: string; link: string }) => stop(token)],
  ['the link of the email, without a login', ({ link }: { token: string; link: string }) => keep(link)],
])('[P13.2] a deletion that was stopped by %s never happens, and that of another account does', async (_how, take) => {
  const [ann, eve] = [await family(), await family()];
  for (const { token } of [ann, eve]) await ask(token);
  await pass(3 * day);
  const [link = ''] = await keepLinks(ann.email);
  const sent = { token: ann.token, link };
  expect((await take(sent)).status).toBe(200);
  expect(await logged(ann.token, 'deletion_stopped')).toMatchObject([{ words: 'Ann stopped the deletion of the account.' }]);
  // Again is fine, and nothing more is logged.
  expect((await take(sent)).status).toBe(200);
  expect(await logged(ann.token, 'deletion_stopped')).toHaveLength(1);
  await pass(5 * day);
  expect([await exists(ann.email), await exists(eve.email)]).toEqual([true, false]);
  expect(await subjectsTo(ann.email)).not.toContain('One day left to keep your account');
});

test('stopping where nothing waits changes and logs nothing', async () => {
  const ann = await newcomer(server);
  expect((await stop(ann.token)).status).toBe(200);
  expect(await logged(ann.token, 'deletion_stopped')).toEqual([]);
});

test('a link that nobody sent, or of another purpose, is refused, and one that is too old as well, unless the deletion still waits', async () => {
  const ann = await person(server);
  await ask(ann.token);
  await server.call('POST /forgot-password', { body: { email: ann.email } });
  const reset = linkIn((await server.mailsTo(ann.email))[0], '/reset-password/');
  for (const token of ['x', reset]) expect(await keep(token)).toMatchObject({ status: 410, body: { code: 'link_invalid' } });
  expect(await deletesOf(ann.token)).not.toBeNull();
  const [link = ''] = await keepLinks(ann.email);
  // A server that was away for so long reminds the holder first.
  server.clock.turn(8 * day);
  expect((await keep(link)).status).toBe(200);
  expect(await deletesOf(ann.token)).toBeNull();
  await ask(ann.token);
  const [, newer = ''] = await keepLinks(ann.email);
  await stop(ann.token);
  await pass(8 * day);
  expect(await keep(newer)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
  expect(await exists(ann.email)).toBe(true);
});

test('asking again answers the same date without another email or entry, and after a stop the seven days begin again', async () => {
  const ann = await family();
  const first = (await ask(ann.token)).body.deletes;
  await pass(2 * day);
  expect((await ask(ann.token)).body.deletes).toEqual(first);
  expect([(await keepLinks(ann.email)).length, (await logged(ann.token, 'deletion_asked')).length]).toEqual([1, 1]);
  await stop(ann.token);
  const second = (await ask(ann.token)).body.deletes;
  expect(second).toEqual(new Date(server.clock.now().getTime() + 7 * day).toISOString());
  // A job that was queued for the first one is about that one alone.
  await enqueuer(server.clock)(server.db, 'account_deletion', 'old', {
    account: await accountIdOf(server, ann.email),
    asked: new Date(server.clock.now().getTime() - 2 * day).toISOString(),
  });
  await pass(6 * day);
  expect(await exists(ann.email)).toBe(true);
  await pass(day + hour);
  expect(await exists(ann.email)).toBe(false);
});

test('with a wrong password, or none, nothing is asked', async () => {
  const ann = await newcomer(server);
  expect(await ask(ann.token, { current_password: 'wrong horse battery' })).toMatchObject({
    status: 400,
    body: { code: 'password_wrong' },
  });
  expect(await ask(ann.token, {})).toMatchObject({ status: 422, body: { fields: [{ field: 'CurrentPassword', tag: 'required' }] } });
  expect(await deletesOf(ann.token)).toBeNull();
});

test('[P10.1] in an incident the deletion waits for a guardian’s yes, and a later no stops it', async () => {
  const ann = await incidentFamily(server);
  await ann.stops();
  const heldReply = await ask(ann.token);
  expect(heldReply).toMatchObject({ status: 409, body: { code: 'held', asked: ['Bob'] } });
  expect(await deletesOf(ann.token)).toBeNull();
  expect(await keepLinks(ann.email)).toEqual([]);
  expect((await ann.answer(heldReply.body.request, 'yes')).status).toBe(200);
  expect((await ask(ann.token)).status).toBe(200);
  expect(await deletesOf(ann.token)).not.toBeNull();
  expect((await ann.answer(heldReply.body.request, 'no')).status).toBe(200);
  expect(await deletesOf(ann.token)).toBeNull();
  await pass(8 * day);
  expect(await exists(ann.email)).toBe(true);
});

test('[P13.2] while an incident is open the deletion waits, also at its date, and happens within an hour of the end', async () => {
  const ann = await family();
  await ask(ann.token);
  await pass(6 * day + 23 * hour);
  const plan = await planStates(server, await accountIdOf(server, ann.email));
  await server.call('POST /agent/detections', { token: ann.device.agent, body: { detections: [detection(server)] } });
  await pass(12 * hour);
  expect([await exists(ann.email), await plan()]).toEqual([true, ['trialing']]);
  await endIncidents(server);
  await pass(hour);
  expect(await exists(ann.email)).toBe(false);
});

test('[P13.2] while the payment service is away for more than a day nothing is deleted, and afterwards the deletion happens', async () => {
  const ann = await family();
  const keys = { account: await accountIdOf(server, ann.email), email: ann.email };
  await ask(ann.token);
  await pass(6 * day + 23 * hour);
  const plan = await planStates(server, keys.account);
  const away = vi
    .spyOn(server.payments.stripe.subscriptions, 'cancel')
    .mockRejectedValue(new Stripe.errors.StripeConnectionError({ message: 'away', type: 'api_error' }));
  const { devices } = await rowsOfAccount(server, keys);
  await pass(36 * hour);
  expect(away.mock.calls.length).toBeGreaterThan(5);
  // The attempts do not multiply.
  expect(away.mock.calls.length).toBeLessThan(30);
  expect(await rowsOfAccount(server, keys)).toMatchObject({ devices });
  away.mockRestore();
  await pass(day);
  expect([await exists(ann.email), await plan()]).toEqual([false, ['canceled']]);
});

test('two servers that delete an account at once, after one that ended before the rows were gone, delete it once, with one email', async () => {
  const ann = await family();
  const account = await accountIdOf(server, ann.email);
  await ask(ann.token);
  await pass(6 * day + 23 * hour);
  const other = await testServer({}, undefined, { otherServer: server });
  try {
    const { asked } = await server.db
      .selectFrom('account_deletions')
      .select('asked')
      .where('account', '=', account)
      .executeTakeFirstOrThrow();
    for (const one of [server, other]) one.clock.turn(asked.getTime() + 7 * day - one.clock.now().getTime());
    // The first server had canceled the plan.
    const { id: customer } = await server.db.selectFrom('customers').select('id').where('account', '=', account).executeTakeFirstOrThrow();
    const { data } = await server.payments.stripe.subscriptions.list({ customer });
    for (const { id } of data) await server.payments.stripe.subscriptions.cancel(id);
    for (const n of [1, 2])
      await enqueuer(server.clock)(server.db, 'account_deletion', `again-${n}`, { account, asked: asked.toISOString() });
    await Promise.all([server.app.worker.idle(), other.app.worker.idle()]);
    expect(await exists(ann.email)).toBe(false);
    expect((await subjectsTo(ann.email)).filter((subject) => subject === 'Your account was deleted')).toHaveLength(1);
    expect(other.logged()).not.toContain('a job failed');
  } finally {
    await other.close();
  }
});

test('a press while the plan is being canceled keeps the account', async () => {
  const ann = await family();
  await ask(ann.token);
  await pass(6 * day + 23 * hour);
  const { subscriptions } = server.payments.stripe;
  const cancel = subscriptions.cancel.bind(subscriptions);
  vi.spyOn(subscriptions, 'cancel').mockImplementation(async (id: string) => {
    const canceled = await cancel(id);
    await stop(ann.token);
    return canceled;
  });
  await pass(2 * hour);
  expect(await exists(ann.email)).toBe(true);
  expect(await deletesOf(ann.token)).toBeNull();
});

test('a server that was away at the time of the reminder reminds first, and leaves a day to stop it', async () => {
  const ann = await family();
  await ask(ann.token);
  server.clock.turn(9 * day);
  await server.app.worker.idle();
  expect((await subjectsTo(ann.email))[0]).toBe('One day left to keep your account');
  expect(await deletesOf(ann.token)).toEqual(new Date(server.clock.now().getTime() + day).toISOString());
  await pass(23 * hour);
  expect(await exists(ann.email)).toBe(true);
  await pass(2 * hour);
  expect(await exists(ann.email)).toBe(false);
});

test('an address that was never confirmed gets no email about the deletion, which happens', async () => {
  const email = 'unproven@example.org';
  const body = { name: 'Ann', email, password: goodPassword, promo: null, signup_code: null };
  await server.call('POST /register', { body });
  const { body: login } = await server.call('POST /login/web', { body: { email, password: goodPassword } });
  const before = await subjectsTo(email);
  expect((await ask(String(login.web_token))).status).toBe(200);
  await pass(7 * day + hour);
  expect(await exists(email)).toBe(false);
  expect(await subjectsTo(email)).toEqual(before);
});

test('the emails have at most 60 words', () => {
  const facts = { name: 'Ann Example', url: 'https://x.example/keep', deletes: new Date('2026-12-03T12:00:00Z'), zone: 'UTC' };
  for (const write of [deletionAskedEmail, deletionReminderEmail]) expect(bodyWords(write(facts))).toBeLessThanOrEqual(60);
});

test('no call or job of these tests ended in a deadlock', () => {
  expect(server.logged()).not.toContain('deadlock');
});
