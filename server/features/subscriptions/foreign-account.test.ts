import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { porchlight } from '../../testing/command.ts';
import { emptyList, type Instead, noSuchCustomer, plansWith, stripeStandIn } from '../../testing/fake-stripe.ts';
import { newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

/** P14.2: a wrong, foreign or empty Stripe account ends nobody's plan. Another server on the same database has the wrong settings. */

let server: TestServer;
let people: { token: string; email: string; uuid: string; customer: string }[];
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  server = await testServer();
  people = [];
  for (let n = 0; n < 4; n += 1) {
    const one = await person(server);
    people.push({ ...one, ...(await accountOf(one.email)) });
  }
  // What time brings is told to nobody: only what a test asks for is asked.
  await server.stripeSimulator.deliver();
  await server.stripeSimulator.hold(true);
  await server.db.deleteFrom('jobs').where('kind', 'in', ['plan_night', 'plan_ends']).execute();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await server.db.deleteFrom('payment_doubts').execute();
});
afterAll(() => server.close());

const { accountOf, planOf } = buyers(() => server);
const hours = (n: number) => server.clock.turn(n * 3_600_000);
const kept = () => server.db.selectFrom('subscriptions').selectAll().orderBy('id').execute();
const down = { code: 'payments_down' };

async function other(instead: Instead, key?: string) {
  const standIn = await stripeStandIn(server.stripeSimulator.settings, instead, key);
  closing.push(standIn.close);
  return { ...plansWith(server, standIn.payments), standIn };
}
const account = (id: string) => (key: string) => (key === 'GET /v1/account' ? { status: 200, body: { id, object: 'account' } } : null);
const operator = async (api_base: string, ...words: string[]) => {
  const { secret_key, webhook_secret } = server.stripeSimulator.settings;
  const stripe = { STRIPE_SECRET_KEY: secret_key, STRIPE_WEBHOOK_SECRET: webhook_secret, STRIPE_API_BASE: api_base };
  return porchlight(['payments', ...words], { DATABASE_URL: server.database_url, DATA_DIR: server.config.data_dir, ...stripe });
};

/** As an account does that has never heard of our customers. */
const knowsNobody: Instead = (key) => {
  if (key.startsWith('GET /v1/subscriptions?')) return noSuchCustomer(400);
  return key.startsWith('GET /v1/customers/') ? noSuchCustomer(404, 'id') : null;
};

test.each([
  [
    'another account',
    (key: string) => account('acct_other')(key) ?? knowsNobody(key),
    undefined,
    /belong to the Stripe account acct_\w+ \(test mode\), and STRIPE_SECRET_KEY to acct_other \(test mode\)/,
  ],
  ['live mode of the same account', knowsNobody, 'sk_live_1', /acct_\w+ \(test mode\), and STRIPE_SECRET_KEY to acct_\w+ \(live mode\)/],
] as const)(
  '[P14.2] with a key of %s every plan stays, nobody can order, and the operator is told why',
  async (_what, instead, key, words) => {
    const before = await kept();
    const wrong = await other(instead, key);
    for (const { uuid } of people) await expect(wrong.sync(uuid)).rejects.toMatchObject(down);
    await expect(wrong.night.handlers.plan_sync({ account: people[0]?.uuid ?? '' }, 'x', { urgency: 'bulk' })).rejects.toMatchObject(down);
    const someone = await newcomer(server);
    const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', someone.email).executeTakeFirstOrThrow();
    await expect(wrong.order(uuid, { price: 'price_family_yearly', promo: null })).rejects.toMatchObject(down);
    await expect(wrong.portal(people[0]?.uuid ?? '')).rejects.toMatchObject(down);
    expect(await kept()).toEqual(before);
    // Nothing else was asked of it, and nothing was made there.
    expect(new Set(wrong.standIn.calls)).toEqual(new Set(['GET /v1/account']));
    expect(wrong.said.filter((line) => words.test(line))).toHaveLength(1);
    expect(wrong.said.join()).toContain('npm run porchlight -- payments believe --account acct_');
    // The server with the right key goes on.
    expect(await planOf(people[0]?.token ?? '')).toMatchObject({ subscribed: true });
  },
);

test.each([
  ['does not know its customers any more', knowsNobody],
  ['has no subscriptions any more', (key: string) => (key.startsWith('GET /v1/subscriptions?') ? emptyList : null)],
] as const)('[P14.2] while the right account %s every plan stays, for nights, until the operator believes it', async (_what, instead) => {
  const before = await kept();
  const emptied = await other(instead);
  for (let night = 0; night < 3; night += 1) {
    for (const { uuid } of people) expect((await emptied.sync(uuid)).map(({ status }) => status)).toEqual(['trialing']);
    hours(24);
  }
  expect(await kept()).toEqual(before);
  expect(emptied.said.some((line) => line.startsWith('Stripe says nothing any more of 4 plans that run here. They are kept.'))).toBe(true);
  const said = await operator(emptied.standIn.api_base, 'status');
  expect(said).toMatchObject({ code: 0, err: '' });
  expect(said.out).toMatch(/the right one\.\nStripe says nothing any more of 4 of the 4 plans that run here, of the first since 2026-/);

  // Stripe knows them again: as if nothing had been.
  const right = await other(() => null);
  for (const { uuid } of people) await right.sync(uuid);
  expect(await server.db.selectFrom('payment_doubts').selectAll().execute()).toEqual([]);
  expect((await operator(right.standIn.api_base, 'status')).out).toContain('All 4 plans that run here are known at Stripe.');
});

test('[P14.2] what the operator believes happens at the next look, and only to those', async () => {
  const [gone, stays] = people;
  const emptied = await other((key) => (key.includes(gone?.customer ?? '') ? knowsNobody(key) : null));
  await emptied.sync(gone?.uuid ?? '');
  expect((await operator(emptied.standIn.api_base, 'believe', '--missing')).out).toMatch(/^This plan ends the next time/);
  await emptied.sync(gone?.uuid ?? '');
  await emptied.sync(stays?.uuid ?? '');
  expect(await planOf(gone?.token ?? '')).toMatchObject({ subscribed: false });
  expect(await planOf(stays?.token ?? '')).toMatchObject({ subscribed: true });
  expect((await operator(emptied.standIn.api_base, 'believe', '--missing')).out).toMatch(/nothing changed/);
  // Put back for the next test.
  await (await other(() => null)).sync(gone?.uuid ?? '');
  expect(await planOf(gone?.token ?? '')).toMatchObject({ subscribed: true });
});

test('[P14.2] a single plan of which Stripe says nothing is kept at first, and is over when that is so a day later', async () => {
  const [gone, ...others] = people;
  const missing = await other((key) => (key.includes(gone?.customer ?? '') ? knowsNobody(key) : null));
  await missing.sync(gone?.uuid ?? '');
  hours(19);
  await missing.sync(gone?.uuid ?? '');
  expect(await planOf(gone?.token ?? '')).toMatchObject({ subscribed: true });
  hours(1);
  for (const { uuid } of people) await missing.sync(uuid);
  expect(await planOf(gone?.token ?? '')).toMatchObject({ subscribed: false });
  for (const { token } of others) expect(await planOf(token)).toMatchObject({ subscribed: true });
  await (await other(() => null)).sync(gone?.uuid ?? '');
});

test('[P14.2] a key that may not say whose it is, or that Stripe does not know, ends no plan either', async () => {
  const before = await kept();
  const refusal = (status: number, type: string) => ({ status, body: { error: { type, message: 'No.' } } });
  const restricted = await other((key) =>
    key === 'GET /v1/account' ? refusal(403, 'invalid_request_error') : key.includes(people[0]?.customer ?? '') ? knowsNobody(key) : null,
  );
  for (const night of [0, 24, 24]) {
    hours(night);
    expect(await restricted.sync(people[0]?.uuid ?? '')).toHaveLength(1);
  }
  expect(restricted.said.join()).toContain('may not read its own account');
  const unknown = await other(() => refusal(401, 'invalid_request_error'));
  await expect(unknown.sync(people[0]?.uuid ?? '')).rejects.toMatchObject(down);
  expect(unknown.said.join()).toContain('Stripe does not know this key; every plan stays as it is. Check STRIPE_SECRET_KEY');
  expect(await kept()).toEqual(before);
  expect((await operator(unknown.standIn.api_base, 'status')).out).toContain('Stripe does not know this key; check STRIPE_SECRET_KEY.');
});

test('[P14.2] whom Stripe removed, and what Stripe says has ended, is over at once', async () => {
  const [removed, ended] = [await person(server), await person(server)];
  await server.payments.stripe.customers.del((await accountOf(removed.email)).customer);
  const [sub] = (await server.payments.stripe.subscriptions.list({ customer: (await accountOf(ended.email)).customer })).data;
  await server.payments.stripe.subscriptions.cancel(sub?.id ?? '');
  const right = await other(() => null);
  for (const { email, token } of [removed, ended]) {
    await right.sync((await accountOf(email)).uuid);
    expect(await planOf(token)).toMatchObject({ subscribed: false });
  }
});

test('[P14.2] another account is taken when the operator says so, by its own name only, and when nobody is a customer yet', async () => {
  const moved = await other(account('acct_new'));
  expect(await operator(moved.standIn.api_base, 'believe', '--account', 'acct_typo')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^STRIPE_SECRET_KEY belongs to acct_new \(test mode\); say --account acct_new/),
  });
  expect((await operator(moved.standIn.api_base, 'status')).out).toMatch(/and STRIPE_SECRET_KEY to acct_new/);
  await expect(moved.sync(people[0]?.uuid ?? '')).rejects.toMatchObject(down);
  expect((await operator(moved.standIn.api_base, 'believe', '--account', 'acct_new')).code).toBe(0);
  expect(await moved.sync(people[0]?.uuid ?? '')).toHaveLength(1);

  const fresh = await testServer();
  try {
    const first = await stripeStandIn(fresh.stripeSimulator.settings, account('acct_first'));
    const second = await stripeStandIn(fresh.stripeSimulator.settings, account('acct_second'));
    closing.push(first.close, second.close);
    for (const { payments } of [first, second]) await plansWith(fresh, payments).products.list();
    expect(await fresh.db.selectFrom('payment_account').select('id').execute()).toEqual([{ id: 'acct_second' }]);
  } finally {
    await fresh.close();
  }
});
