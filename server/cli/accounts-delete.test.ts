import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountTables } from '../db/account-data.ts';
import { accountDeletedEmail } from '../features/account-data/deletion-email.ts';
import { accountIdOf as idOf, planStates, rowsWith as rowsContaining, rowsOfAccount } from '../testing/account-rows.ts';
import { bodyWords } from '../testing/body-words.ts';
import { stripeProxy } from '../testing/fake-stripe.ts';
import { fillTables, incidentAccount } from '../testing/full-account.ts';
import { order } from '../testing/pay.ts';
import { activeGuardian, detection, endIncidents, linkedDevice, newcomer, person, type TestServer, testServer } from '../testing/world.ts';
import { runCommand } from './run.ts';

let server: TestServer;
let folder = '';
beforeAll(async () => {
  server = await testServer({}, undefined, { storedShop: true });
  folder = await mkdtemp(`${tmpdir()}/accounts-`);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: string[], env: Record<string, string> = {}) => {
  const { database_url: DATABASE_URL, config } = server;
  return runCommand(args, () => ({ DATABASE_URL, DATA_DIR: config.data_dir, PUBLIC_URL: config.public_url, ...env }), server.clock);
};
const remove = (email: string, ...more: string[]) => run(['accounts', 'delete', '--email', email, ...more]);

interface Keys {
  account: string;
  email: string;
}
const rowsOf = (keys: Keys) => rowsOfAccount(server, keys);
const rowsWith = (texts: string[]) => rowsContaining(server, texts);
const accountIdOf = (email: string) => idOf(server, email);
const statusesOf = (account: string) => planStates(server, account);
async function smallFamily() {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  return { token, email, agent, guardian: await activeGuardian(server, token) };
}
test('deleting an account leaves no row of it in any table, cancels its plan, and leaves a second account as it was, row by row', async () => {
  const ann = await incidentAccount(server, 'Ann', '+12025550101');
  const eve = await incidentAccount(server, 'Eve', '+12025550102');
  for (const one of [ann, eve]) await fillTables(server, one);
  await endIncidents(server);
  const [annsPlan, evesPlan] = [await statusesOf(ann.account), await statusesOf(eve.account)];
  const [before, evesBefore] = [await rowsOf(ann), await rowsOf(eve)];
  for (const { name } of accountTables) expect([name, before[name]?.length]).not.toEqual([name, 0]);

  expect((await remove(ann.email, '--yes')).code).toBe(0);

  // The last email names the address until it is sent.
  await server.app.worker.idle();
  const after = await rowsOf(ann);
  for (const { name } of accountTables) expect([name, after[name]]).toEqual([name, []]);
  expect(await rowsWith([ann.account, ann.email, ann.device, ann.guardian, ann.guardian_email, ann.incident])).toEqual([]);
  expect(await rowsOf(eve)).toEqual(evesBefore);
  expect([await annsPlan(), await evesPlan()]).toEqual([['canceled'], ['trialing']]);
});

test('after a deletion the agent learns that its device was removed, the guardian’s page and the session are dead, and those of others work', async () => {
  const [ann, eve] = [await smallFamily(), await smallFamily()];
  expect((await remove(ann.email, '--yes')).code).toBe(0);
  const replies = async ({ agent, token, guardian }: typeof ann) => [
    (await server.call('GET /agent/policy', { token: agent })).status,
    (await server.call(`GET /guardian/${guardian.uuid}`, { headers: guardian.session })).status,
    (await server.call('GET /web/profile', { token })).status,
  ];
  expect(await replies(eve)).toEqual([200, 200, 200]);
  expect(await replies(ann)).toEqual([410, 410, 401]);
  const { body } = await server.call('GET /agent/policy', { token: ann.agent });
  expect(body.code).toBe('device_removed');
});

test('the holder gets one last email, also with no account row, and messages that waited about the account are dropped', async () => {
  const { email } = await person(server);
  const [account, eve] = [
    await server.db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow(),
    await person(server),
  ];
  const later = new Date(server.clock.now().getTime() + 1000);
  const job = { payload: JSON.stringify({ account: account.uuid, sunday: 'x' }), lane: 'other', created: later, run_at: later };
  const { uuid: other } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', eve.email).executeTakeFirstOrThrow();
  await server.db
    .insertInto('jobs')
    .values([
      { ...job, id: account.uuid, kind: 'weekly', unique_key: 'waits' },
      { ...job, id: other, kind: 'weekly', unique_key: 'waits too', payload: JSON.stringify({ account: other, sunday: 'x' }) },
    ])
    .execute();
  const { out } = await remove(email, '--yes');
  expect(out).toContain('One last email to the holder says so.');
  expect((await server.db.selectFrom('jobs').select('unique_key').where('unique_key', 'like', 'waits%').execute()).length).toBe(1);
  const subjects = (await server.mailsTo(email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject === 'Your account was deleted')).toHaveLength(1);
  expect(await server.mailsTo(eve.email)).not.toContainEqual(expect.objectContaining({ subject: 'Your account was deleted' }));
  await server.db.deleteFrom('jobs').where('unique_key', '=', 'waits too').execute();
});

test('the last email has at most 60 words', () => {
  expect(bodyWords(accountDeletedEmail('Ann Example'))).toBeLessThanOrEqual(60);
});

test('an address that was never confirmed gets no email', async () => {
  const email = 'unproven@example.org';
  await server.call('POST /register', { body: { name: 'Ann', email, password: 'correct horse battery', promo: null, signup_code: null } });
  const before = (await server.mailsTo(email)).length;
  expect((await remove(email, '--yes')).out).toContain('The holder gets no email');
  expect(await server.mailsTo(email)).toHaveLength(before);
});

test('reports and changes of the name during a deletion leave no row behind, and of two deletions at once none fails', async () => {
  const ann = await smallFamily();
  const keys = { account: await accountIdOf(ann.email), email: ann.email };
  const report = () => server.call('POST /agent/detections', { token: ann.agent, body: { detections: [detection(server)] } });
  const rename = (n: number) => server.call('PATCH /web/profile', { token: ann.token, body: { name: `Ann ${n}` } });
  const deletions = [remove(ann.email, '--yes', '--during-incident'), remove(ann.email, '--yes', '--during-incident')];
  await Promise.all(Array.from({ length: 8 }, (_, n) => Promise.all([report(), rename(n)])));
  const codes = (await Promise.all(deletions)).map(({ code }) => code);
  expect(codes).toContain(0);
  expect(codes).not.toContain(1);
  await server.app.worker.idle();
  expect((await rowsOf(keys)).accounts).toEqual([]);
  // Counts and jobs have no foreign key, and end by themselves.
  expect((await rowsWith([keys.account])).filter((row) => !row.startsWith('rate_counts') && !row.startsWith('jobs'))).toEqual([]);
  expect((await report()).status).toBe(410);
});

test('without --yes the command says what would go, and changes nothing', async () => {
  const { email } = await person(server);
  const account = await accountIdOf(email);
  const before = await rowsOf({ account, email });
  const { code, out, err } = await remove(email);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^Nothing was deleted\. This would go with .+:\n {2}Account: 1\n/);
  expect(err).toContain('  Plans: 1\n');
  expect(err).not.toContain('Computers:');
  expect(await rowsOf({ account, email })).toEqual(before);
});

test('while an incident is open the command refuses, and --during-incident deletes', async () => {
  const ann = await incidentAccount(server, 'Ann', '+12025550105');
  const plan = await statusesOf(ann.account);
  const refused = await remove(ann.email, '--yes');
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/may be a scammer\..+--during-incident\.\n$/) });
  expect((await remove(ann.email)).err).toContain('may be a scammer');
  expect(await plan()).toEqual(['trialing']);
  expect((await rowsOf(ann)).accounts).toHaveLength(1);
  expect((await remove(ann.email, '--yes', '--during-incident')).code).toBe(0);
  expect((await rowsOf(ann)).accounts).toEqual([]);
});

test('while Stripe is away nothing is deleted, and the same command succeeds afterwards; an account without a customer needs no Stripe', async () => {
  const { email } = await person(server);
  const account = await accountIdOf(email);
  const away = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x', STRIPE_API_BASE: 'http://127.0.0.1:1' };
  const args = (address: string) => ['accounts', 'delete', '--email', address, '--yes'];
  const before = await rowsOf({ account, email });
  expect(await run(args(email), away)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Nothing was deleted, .*Stripe cannot be reached;/),
  });
  expect(await rowsOf({ account, email })).toEqual(before);
  expect((await run(args(email))).code).toBe(0);
  expect((await rowsOf({ account, email })).accounts).toEqual([]);
  expect(await run(args(email))).toMatchObject({ code: 2, err: expect.stringMatching(/^There is no account with the address/) });
  expect((await run(args((await newcomer(server)).email), away)).code).toBe(0);
});

test('a deletion that ended after the plan was canceled is completed by the next run', async () => {
  const { email } = await person(server);
  const account = await accountIdOf(email);
  const { id: customer } = await server.db.selectFrom('customers').select('id').where('account', '=', account).executeTakeFirstOrThrow();
  const { stripe } = server.payments;
  for (const { id } of (await stripe.subscriptions.list({ customer })).data) await stripe.subscriptions.cancel(id);
  expect(await remove(email, '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('There was no plan to cancel.') });
  expect((await rowsOf({ account, email })).accounts).toEqual([]);
});

test('a plan that another deletion has canceled meanwhile is no reason to stop', async () => {
  const { email } = await person(server);
  const account = await accountIdOf(email);
  const { id: customer } = await server.db.selectFrom('customers').select('id').where('account', '=', account).executeTakeFirstOrThrow();
  const { stripe } = server.payments;
  const open = await stripe.subscriptions.list({ customer, status: 'all' });
  for (const { id } of open.data) await stripe.subscriptions.cancel(id);
  const stale = { status: 200, body: { object: 'list', data: open.data, has_more: false, url: '/v1/subscriptions' } };
  const { api_base, close } = await stripeProxy(server.stripeSimulator.settings, (call) =>
    call.startsWith('GET /v1/subscriptions?') ? stale : null,
  );
  try {
    const { secret_key, webhook_secret } = server.stripeSimulator.settings;
    const env = { STRIPE_SECRET_KEY: secret_key, STRIPE_WEBHOOK_SECRET: webhook_secret, STRIPE_API_BASE: api_base };
    expect(await run(['accounts', 'delete', '--email', email, '--yes'], env)).toMatchObject({
      code: 0,
      out: expect.stringContaining('There was no plan to cancel.'),
    });
    expect((await rowsOf({ account, email })).accounts).toEqual([]);
  } finally {
    await close();
  }
});

test('nobody can pay on a page that was opened before the deletion', async () => {
  const { token, email } = await newcomer(server);
  await order(server, token);
  const { id: customer } = await server.db
    .selectFrom('customers')
    .innerJoin('accounts', 'accounts.uuid', 'customers.account')
    .select('customers.id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const pages = async () => (await server.payments.stripe.checkout.sessions.list({ customer })).data.map(({ status }) => status);
  expect(await pages()).toEqual(['open']);
  expect((await remove(email, '--yes')).code).toBe(0);
  expect(await pages()).toEqual(['expired']);
});

test('a plan that Stripe does not know is not believed to be over, and nothing is deleted', async () => {
  const { email } = await person(server);
  const account = await accountIdOf(email);
  await server.db.updateTable('subscriptions').set({ id: 'sub_elsewhere' }).where('account', '=', account).execute();
  const before = await rowsOf({ account, email });
  expect(await remove(email, '--yes')).toMatchObject({ code: 1, err: expect.stringMatching(/^Nothing was deleted.+does not know a plan/) });
  expect(await rowsOf({ account, email })).toEqual(before);
});

test('with the key of another account of Stripe’s nothing is canceled or deleted, and with the right one it is', async () => {
  const { email } = await person(server);
  const account = await accountIdOf(email);
  const plan = await statusesOf(account);
  const { id } = await server.db.selectFrom('payment_account').select('id').executeTakeFirstOrThrow();
  await server.db.updateTable('payment_account').set({ id: 'acct_other' }).execute();
  expect(await remove(email, '--yes')).toMatchObject({ code: 1, err: expect.stringMatching(/^Nothing was deleted\. .+acct_other/) });
  expect([await plan(), (await rowsOf({ account, email })).accounts?.length]).toEqual([['trialing'], 1]);
  await server.db.updateTable('payment_account').set({ id }).execute();
  expect((await remove(email, '--yes')).code).toBe(0);
  expect((await rowsOf({ account, email })).accounts).toEqual([]);
});
