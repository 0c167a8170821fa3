import { day, hour, minute } from '@porchlight/contract/time.ts';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { accountTables } from '../../db/account-data.ts';
import { enqueuer } from '../../jobs/queue.ts';
import { accountIdOf, planStates, rowsOfAccount, rowsWith } from '../../testing/account-rows.ts';
import { deletionsAt } from '../../testing/deletions.ts';
import { fillTables, incidentAccount } from '../../testing/full-account.ts';
import { detection, endIncidents, goodPassword, type TestServer, testServer } from '../../testing/world.ts';

/** These change with time: jobs run, and the checks of computers go on. */
const changing = ['jobs', 'device_outages', 'device_watch'];

let server: TestServer;
let deletions: ReturnType<typeof deletionsAt>;
beforeAll(async () => {
  server = await testServer();
  deletions = deletionsAt(server);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => server.close());

test('[P13.2] seven days after its holder asked, an account has no row in any table and no plan; a second account stays, row by row', async () => {
  const ann = await incidentAccount(server, 'Ann', '+12025550101');
  const eve = await incidentAccount(server, 'Eve', '+12025550102');
  await endIncidents(server);
  const [annsPlan, evesPlan] = [await planStates(server, ann.account), await planStates(server, eve.account)];
  const { body: login } = await server.call('POST /login/web', { body: { email: ann.email, password: goodPassword } });
  const token = String(login.web_token);

  const { status, body } = await deletions.ask(token);
  expect([status, body]).toEqual([200, { deletes: new Date(server.clock.now().getTime() + 7 * day).toISOString() }]);
  await deletions.pass(7 * day - 10 * minute);
  expect(await deletions.deletesOf(token)).toEqual(body.deletes);
  for (const one of [ann, eve]) await fillTables(server, one);
  const [before, evesBefore] = [await rowsOfAccount(server, ann), await rowsOfAccount(server, eve)];
  for (const { name } of accountTables) expect([name, before[name]?.length]).not.toEqual([name, 0]);
  expect(await annsPlan()).toEqual(['trialing']);
  // An hourly check is within it, and nothing of the second account ends by itself.
  await deletions.pass(30 * minute);

  const after = await rowsOfAccount(server, ann);
  for (const { name } of accountTables) expect([name, after[name]]).toEqual([name, []]);
  expect(await rowsWith(server, [ann.account, ann.email, ann.device, ann.guardian, ann.guardian_email, ann.incident])).toEqual([]);
  const evesAfter = await rowsOfAccount(server, eve);
  for (const { name } of accountTables) if (!changing.includes(name)) expect([name, evesAfter[name]]).toEqual([name, evesBefore[name]]);
  expect(evesAfter.accounts).toHaveLength(1);
  expect([await annsPlan(), await evesPlan()]).toEqual([['canceled'], ['trialing']]);
});

test('[P13.2] until the date everything works; then the agent learns that it was removed, the pages are dead, and the holder gets one last email', async () => {
  const [ann, eve] = [await deletions.family(), await deletions.family()];
  expect((await deletions.ask(ann.token)).status).toBe(200);
  const replies = async ({ device, token, guardian }: typeof ann) => [
    (await server.call('GET /agent/policy', { token: device.agent })).status,
    (await server.call(`GET /guardian/${guardian.uuid}`, { headers: guardian.session })).status,
    (await server.call('GET /web/profile', { token })).status,
  ];
  await deletions.pass(6 * day + 23 * hour);
  expect(await replies(ann)).toEqual([200, 200, 200]);
  await deletions.pass(2 * hour);
  expect([await replies(ann), await replies(eve)]).toEqual([
    [410, 410, 401],
    [200, 200, 200],
  ]);
  expect((await server.call('GET /agent/policy', { token: ann.device.agent })).body.code).toBe('device_removed');
  expect(await deletions.deletedMails(ann.email)).toBe(1);
  expect(await deletions.subjectsTo(eve.email)).not.toContain('Your account was deleted');
});

test('[P13.2] while an incident is open the deletion waits, also at its date, and leaves a day after that to stop it', async () => {
  const ann = await deletions.family();
  await deletions.ask(ann.token);
  await deletions.pass(6 * day + 23 * hour);
  const plan = await planStates(server, await accountIdOf(server, ann.email));
  await server.call('POST /agent/detections', { token: ann.device.agent, body: { detections: [detection(server)] } });
  await deletions.pass(12 * hour);
  expect([await deletions.exists(ann.email), await plan()]).toEqual([true, ['trialing']]);
  await endIncidents(server);
  await deletions.pass(12 * hour);
  expect(await deletions.exists(ann.email)).toBe(true);
  // These tests turn the clock by six hours at a time.
  await deletions.pass(18 * hour);
  expect(await deletions.exists(ann.email)).toBe(false);
});

test('[P13.2] while the payment service is away for more than a day nothing is deleted, and afterwards the deletion happens', async () => {
  const ann = await deletions.family();
  const keys = { account: await accountIdOf(server, ann.email), email: ann.email };
  await deletions.ask(ann.token);
  await deletions.pass(6 * day + 23 * hour);
  const plan = await planStates(server, keys.account);
  const away = vi
    .spyOn(server.payments.stripe.subscriptions, 'cancel')
    .mockRejectedValue(new Stripe.errors.StripeConnectionError({ message: 'away', type: 'api_error' }));
  const { devices } = await rowsOfAccount(server, keys);
  await deletions.pass(36 * hour);
  expect(away.mock.calls.length).toBeGreaterThan(5);
  // The attempts do not multiply.
  expect(away.mock.calls.length).toBeLessThan(30);
  expect(await rowsOfAccount(server, keys)).toMatchObject({ devices });
  away.mockRestore();
  await deletions.pass(day);
  expect([await deletions.exists(ann.email), await plan()]).toEqual([false, ['canceled']]);
});

test('two servers that delete an account at once, after the plan was canceled and the process ended, delete it once, with one email', async () => {
  const ann = await deletions.family();
  const account = await accountIdOf(server, ann.email);
  await deletions.ask(ann.token);
  await deletions.pass(6 * day + 23 * hour);
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
    expect(await deletions.exists(ann.email)).toBe(false);
    expect(await deletions.deletedMails(ann.email)).toBe(1);
    expect(other.logged()).not.toContain('a job failed');
  } finally {
    await other.close();
  }
});

test('a press while the plan is being canceled keeps the account', async () => {
  const ann = await deletions.family();
  await deletions.ask(ann.token);
  await deletions.pass(6 * day + 23 * hour);
  const { subscriptions } = server.payments.stripe;
  const cancel = subscriptions.cancel.bind(subscriptions);
  vi.spyOn(subscriptions, 'cancel').mockImplementation(async (id: string) => {
    const canceled = await cancel(id);
    await deletions.stop(ann.token);
    return canceled;
  });
  await deletions.pass(2 * hour);
  expect(await deletions.exists(ann.email)).toBe(true);
  expect(await deletions.deletesOf(ann.token)).toBeNull();
});

test('a server that was away at the time of the reminder reminds first, and leaves a day to stop it', async () => {
  const ann = await deletions.family();
  await deletions.ask(ann.token);
  server.clock.turn(9 * day);
  await server.app.worker.idle();
  expect(await deletions.subjectsTo(ann.email)).toContain('One day left to keep your account');
  expect(await deletions.deletesOf(ann.token)).toEqual(new Date(server.clock.now().getTime() + day).toISOString());
  await deletions.pass(23 * hour);
  expect(await deletions.exists(ann.email)).toBe(true);
  await deletions.pass(2 * hour);
  expect(await deletions.exists(ann.email)).toBe(false);
});

test('an address that was never confirmed gets no email about the deletion, which happens', async () => {
  const email = 'unproven@example.org';
  const body = { name: 'Ann', email, password: goodPassword, promo: null, signup_code: null };
  await server.call('POST /register', { body });
  const { body: login } = await server.call('POST /login/web', { body: { email, password: goodPassword } });
  const before = await deletions.subjectsTo(email);
  expect((await deletions.ask(String(login.web_token))).status).toBe(200);
  await deletions.pass(7 * day + hour);
  expect(await deletions.exists(email)).toBe(false);
  expect(await deletions.subjectsTo(email)).toEqual(before);
});

test('no call or job of these tests ended in a deadlock', () => {
  expect(server.logged()).not.toContain('deadlock');
});
