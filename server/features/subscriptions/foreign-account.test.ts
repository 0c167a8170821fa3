import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { porchlight } from '../../testing/command.ts';
import { type AnswerOverride, emptyList, noSuchCustomer, plansWith, stripeProxy } from '../../testing/fake-stripe.ts';
import { newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

/** P14.2: a wrong, foreign or empty Stripe account ends no plans. These tests run a second, misconfigured server on the same database. */

let server: TestServer;
let people: { token: string; email: string; uuid: string; customer: string }[];
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  server = await testServer();
  people = [];
  for (let n = 0; n < 4; n += 1) {
    const firstPerson = await person(server);
    people.push({ ...firstPerson, ...(await accountOf(firstPerson.email)) });
  }
  // Webhooks and nightly jobs are off, so that only the tests cause calls to Stripe.
  await server.stripeSimulator.deliver();
  await server.stripeSimulator.pauseDelivery(true);
  await server.db.deleteFrom('jobs').where('kind', 'in', ['plan_night', 'plan_ends']).execute();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await server.db.deleteFrom('payment_doubts').execute();
});
afterAll(() => server.close());

const { accountOf, planOf } = buyers(() => server);
const hours = (n: number) => server.clock.turn(n * 3_600_000);
const listSubscriptions = () => server.db.selectFrom('subscriptions').selectAll().orderBy('id').execute();
const paymentsDown = { code: 'payments_down' };

async function foreignPlans(override: AnswerOverride, key?: string) {
  const standIn = await stripeProxy(server.stripeSimulator.settings, override, key);
  closers.push(standIn.close);
  return { ...plansWith(server, standIn.payments), standIn };
}
const account = (id: string) => (key: string) => (key === 'GET /v1/account' ? { status: 200, body: { id, object: 'account' } } : null);
const runPayments = async (api_base: string, ...args: string[]) => {
  const { secret_key, webhook_secret } = server.stripeSimulator.settings;
  const stripe = { STRIPE_SECRET_KEY: secret_key, STRIPE_WEBHOOK_SECRET: webhook_secret, STRIPE_API_BASE: api_base };
  return porchlight(['payments', ...args], { DATABASE_URL: server.database_url, DATA_DIR: server.config.data_dir, ...stripe });
};

const knowsNobody: AnswerOverride = (key) => {
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
  '[P14.2] with a key of %s every plan stays, nobody can order, and the log explains why',
  async (_what, override, key, logPattern) => {
    const subscriptionsBefore = await listSubscriptions();
    const wrongPlans = await foreignPlans(override, key);
    for (const { uuid } of people) await expect(wrongPlans.sync(uuid)).rejects.toMatchObject(paymentsDown);
    await expect(wrongPlans.night.handlers.plan_sync({ account: people[0]?.uuid ?? '' }, 'x', { urgency: 'bulk' })).rejects.toMatchObject(
      paymentsDown,
    );
    const newBuyer = await newcomer(server);
    const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', newBuyer.email).executeTakeFirstOrThrow();
    await expect(wrongPlans.order(uuid, { price: 'price_family_yearly', promo: null })).rejects.toMatchObject(paymentsDown);
    await expect(wrongPlans.portal(people[0]?.uuid ?? '')).rejects.toMatchObject(paymentsDown);
    expect(await listSubscriptions()).toEqual(subscriptionsBefore);
    expect(new Set(wrongPlans.standIn.calls)).toEqual(new Set(['GET /v1/account']));
    expect(wrongPlans.said.filter((line) => logPattern.test(line))).toHaveLength(1);
    expect(wrongPlans.said.join()).toContain('npm run porchlight -- payments believe --account acct_');
    expect(await planOf(people[0]?.token ?? '')).toMatchObject({ subscribed: true });
  },
);

test.each([
  ['does not know its customers any more', knowsNobody],
  ['has no subscriptions any more', (key: string) => (key.startsWith('GET /v1/subscriptions?') ? emptyList : null)],
] as const)(
  '[P14.2] while the right account %s every plan stays for days, until the operator confirms the end',
  async (_what, override) => {
    const subscriptionsBefore = await listSubscriptions();
    const emptiedPlans = await foreignPlans(override);
    for (let night = 0; night < 3; night += 1) {
      for (const { uuid } of people) expect((await emptiedPlans.sync(uuid)).map(({ status }) => status)).toEqual(['trialing']);
      hours(24);
    }
    expect(await listSubscriptions()).toEqual(subscriptionsBefore);
    expect(emptiedPlans.said.some((line) => line.startsWith('Stripe says nothing any more of 4 plans that run here. They are kept.'))).toBe(
      true,
    );
    const output = await runPayments(emptiedPlans.standIn.api_base, 'status');
    expect(output).toMatchObject({ code: 0, err: '' });
    expect(output.out).toMatch(/the right one\.\nStripe says nothing any more of 4 of the 4 plans that run here, of the first since 2026-/);

    // Once Stripe knows the customers again, no plan is in doubt.
    const rightPlans = await foreignPlans(() => null);
    for (const { uuid } of people) await rightPlans.sync(uuid);
    expect(await server.db.selectFrom('payment_doubts').selectAll().execute()).toEqual([]);
    expect((await runPayments(rightPlans.standIn.api_base, 'status')).out).toContain('All 4 plans that run here are known at Stripe.');
  },
);

test('[P14.2] the plans whose end the operator confirmed end at the next sync, and no others', async () => {
  const [lostPerson, remainingPerson] = people;
  const emptiedPlans = await foreignPlans((key) => (key.includes(lostPerson?.customer ?? '') ? knowsNobody(key) : null));
  await emptiedPlans.sync(lostPerson?.uuid ?? '');
  expect((await runPayments(emptiedPlans.standIn.api_base, 'believe', '--missing')).out).toMatch(/^This plan ends the next time/);
  await emptiedPlans.sync(lostPerson?.uuid ?? '');
  await emptiedPlans.sync(remainingPerson?.uuid ?? '');
  expect(await planOf(lostPerson?.token ?? '')).toMatchObject({ subscribed: false });
  expect(await planOf(remainingPerson?.token ?? '')).toMatchObject({ subscribed: true });
  expect((await runPayments(emptiedPlans.standIn.api_base, 'believe', '--missing')).out).toMatch(/nothing changed/);
  await (await foreignPlans(() => null)).sync(lostPerson?.uuid ?? '');
  expect(await planOf(lostPerson?.token ?? '')).toMatchObject({ subscribed: true });
});

test('[P14.2] a single plan that Stripe does not know stays for a day and then ends', async () => {
  const [lostPerson, ...otherPeople] = people;
  const plansWithMissing = await foreignPlans((key) => (key.includes(lostPerson?.customer ?? '') ? knowsNobody(key) : null));
  await plansWithMissing.sync(lostPerson?.uuid ?? '');
  hours(19);
  await plansWithMissing.sync(lostPerson?.uuid ?? '');
  expect(await planOf(lostPerson?.token ?? '')).toMatchObject({ subscribed: true });
  hours(1);
  for (const { uuid } of people) await plansWithMissing.sync(uuid);
  expect(await planOf(lostPerson?.token ?? '')).toMatchObject({ subscribed: false });
  for (const { token } of otherPeople) expect(await planOf(token)).toMatchObject({ subscribed: true });
  await (await foreignPlans(() => null)).sync(lostPerson?.uuid ?? '');
});

test('[P14.2] a key that cannot read its account, or that Stripe does not know, ends no plan', async () => {
  const subscriptionsBefore = await listSubscriptions();
  const refusal = (status: number, type: string) => ({ status, body: { error: { type, message: 'No.' } } });
  const restricted = await foreignPlans((key) =>
    key === 'GET /v1/account' ? refusal(403, 'invalid_request_error') : key.includes(people[0]?.customer ?? '') ? knowsNobody(key) : null,
  );
  for (const nightlyJob of [0, 24, 24]) {
    hours(nightlyJob);
    expect(await restricted.sync(people[0]?.uuid ?? '')).toHaveLength(1);
  }
  expect(restricted.said.join()).toContain('may not read its own account');
  const unknownKeyPlans = await foreignPlans(() => refusal(401, 'invalid_request_error'));
  await expect(unknownKeyPlans.sync(people[0]?.uuid ?? '')).rejects.toMatchObject(paymentsDown);
  expect(unknownKeyPlans.said.join()).toContain('Stripe does not know this key; every plan stays as it is. Check STRIPE_SECRET_KEY');
  expect(await listSubscriptions()).toEqual(subscriptionsBefore);
  expect((await runPayments(unknownKeyPlans.standIn.api_base, 'status')).out).toContain(
    'Stripe does not know this key; check STRIPE_SECRET_KEY.',
  );
});

test('[P14.2] a customer removed at Stripe, or a cancelled subscription, ends the plan immediately', async () => {
  const [removedPerson, cancelledPerson] = [await person(server), await person(server)];
  await server.payments.stripe.customers.del((await accountOf(removedPerson.email)).customer);
  const [sub] = (await server.payments.stripe.subscriptions.list({ customer: (await accountOf(cancelledPerson.email)).customer })).data;
  await server.payments.stripe.subscriptions.cancel(sub?.id ?? '');
  const rightPlans = await foreignPlans(() => null);
  for (const { email, token } of [removedPerson, cancelledPerson]) {
    await rightPlans.sync((await accountOf(email)).uuid);
    expect(await planOf(token)).toMatchObject({ subscribed: false });
  }
});

test('[P14.2] another account is accepted when the operator confirms its id, or while there are no customers', async () => {
  const movedPlans = await foreignPlans(account('acct_new'));
  expect(await runPayments(movedPlans.standIn.api_base, 'believe', '--account', 'acct_typo')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^STRIPE_SECRET_KEY belongs to acct_new \(test mode\); say --account acct_new/),
  });
  expect((await runPayments(movedPlans.standIn.api_base, 'status')).out).toMatch(/and STRIPE_SECRET_KEY to acct_new/);
  await expect(movedPlans.sync(people[0]?.uuid ?? '')).rejects.toMatchObject(paymentsDown);
  expect((await runPayments(movedPlans.standIn.api_base, 'believe', '--account', 'acct_new')).code).toBe(0);
  expect(await movedPlans.sync(people[0]?.uuid ?? '')).toHaveLength(1);

  const newServer = await testServer();
  try {
    const firstProxy = await stripeProxy(newServer.stripeSimulator.settings, account('acct_first'));
    const secondProxy = await stripeProxy(newServer.stripeSimulator.settings, account('acct_second'));
    closers.push(firstProxy.close, secondProxy.close);
    for (const { payments } of [firstProxy, secondProxy]) await plansWith(newServer, payments).products.list();
    expect(await newServer.db.selectFrom('payment_account').select('id').execute()).toEqual([{ id: 'acct_second' }]);
  } finally {
    await newServer.close();
  }
});
