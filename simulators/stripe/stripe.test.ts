import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testStripe } from '../testing/stripe.ts';
import { apiVersion } from './shop.ts';

/** Stripe's own library against the Stripe simulator: everything that the server and the command ask. */

let world: Awaited<ReturnType<typeof testStripe>>;
let stripe: Stripe;
beforeAll(async () => {
  world = await testStripe();
  stripe = world.stripe;
});
afterAll(() => world.close());

const urls = { success_url: 'http://localhost:4380/s?id={CHECKOUT_SESSION_ID}', cancel_url: 'http://localhost:4380/c' };
const order: Stripe.Checkout.SessionCreateParams = {
  mode: 'subscription',
  line_items: [{ price: 'price_family_yearly', quantity: 1 }],
  ...urls,
};
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (err: unknown) => err as Stripe.errors.StripeError,
  );

test('[P6.2] the library and the Stripe simulator speak one version, and no other is answered', async () => {
  expect(Stripe.API_VERSION).toBe(apiVersion);
  const { lastResponse } = await stripe.products.list();
  expect(lastResponse).toMatchObject({ apiVersion, statusCode: 200, requestId: expect.stringMatching(/^req_\w{14}$/) });
  const other = await failure(stripe.products.list({}, { apiVersion: '2020-08-27' }));
  expect(other).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400 });
});

test('three plans are sold, each by the month and by the year, a year about 33 % below twelve months', async () => {
  const prices = await stripe.prices
    .list({ active: true, type: 'recurring', limit: 100, expand: ['data.product'] })
    .autoPagingToArray({ limit: 100 });
  expect(prices.map(({ id }) => id).sort()).toEqual(
    ['dev', 'family', 'individual'].flatMap((plan) => [`price_${plan}_monthly`, `price_${plan}_yearly`]),
  );
  const amount = (id: string) => prices.find((price) => price.id === id)?.unit_amount ?? 0;
  for (const [plan, devices] of [
    ['individual', 1],
    ['family', 5],
    ['dev', 2],
  ] as const) {
    const saving = 1 - amount(`price_${plan}_yearly`) / (12 * amount(`price_${plan}_monthly`));
    expect(saving).toBeGreaterThan(0.325);
    expect(saving).toBeLessThan(0.335);
    const monthly = prices.find((price) => price.id === `price_${plan}_monthly`);
    expect(JSON.parse(monthly?.metadata.metadata ?? '')).toEqual({ device_limit: devices });
    expect(monthly?.recurring).toMatchObject({ interval: 'month', interval_count: 1 });
    expect(monthly?.product).toMatchObject({ name: expect.stringMatching(/^Porchlight /) });
  }
  const found = await stripe.prices.list({ lookup_keys: ['dev_monthly'] });
  expect(found.data.map(({ id }) => id)).toEqual(['price_dev_monthly']);
  expect((await stripe.products.retrieve('prod_dev')).metadata).toEqual({ development: 'true' });
});

test('lists come newest first, in pages that the library walks by itself', async () => {
  const made: string[] = [];
  for (let i = 0; i < 5; i++) made.unshift((await stripe.customers.create({ email: 'page@example.org' })).id);
  const first = await stripe.customers.list({ email: 'page@example.org', limit: 2 });
  expect([first.data.map(({ id }) => id), first.has_more, first.url]).toEqual([made.slice(0, 2), true, '/v1/customers']);
  const walked = await stripe.customers.list({ email: 'page@example.org', limit: 2 }).autoPagingToArray({ limit: 100 });
  expect(walked.map(({ id }) => id)).toEqual(made);
  const back = await stripe.customers.list({ email: 'page@example.org', limit: 2, ending_before: made[4] ?? '' });
  expect([back.data.map(({ id }) => id), back.has_more]).toEqual([made.slice(2, 4), true]);
  expect((await stripe.customers.list({ email: 'page@example.org', limit: 5 })).has_more).toBe(false);
  expect(await failure(stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
  expect(await failure(stripe.customers.list({ starting_after: 'cus_none' }))).toMatchObject({ param: 'starting_after' });
});

test('the same key twice is one customer; with something else in it, an error', async () => {
  const idempotencyKey = 'account-1';
  const one = await stripe.customers.create({ email: 'key@example.org' }, { idempotencyKey });
  const two = await stripe.customers.create({ email: 'key@example.org' }, { idempotencyKey });
  expect(two.id).toBe(one.id);
  expect(two.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(one.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  expect((await stripe.customers.list({ email: 'key@example.org' })).data).toHaveLength(1);
  const other = await failure(stripe.customers.create({ email: 'other@example.org' }, { idempotencyKey }));
  expect(other).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  await world.turn(24 * 3_600_000 + 1000);
  expect((await stripe.customers.create({ email: 'key@example.org' }, { idempotencyKey })).id).not.toBe(one.id);
});

test('only the right key is let in, as Basic or as Bearer', async () => {
  const { api_base, secret_key } = world.stripeSimulator.settings;
  const ask = (authorization?: string) =>
    fetch(`${api_base}/v1/products`, authorization ? { headers: { authorization } } : {}).then((answer) => answer.status);
  expect(await ask(`Bearer ${secret_key}`)).toBe(200);
  expect(await ask(`Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`)).toBe(200);
  for (const wrong of [
    undefined,
    `Bearer ${secret_key}x`,
    'Bearer ',
    `Basic ${Buffer.from('sk_test_x:').toString('base64')}`,
    secret_key,
  ]) {
    expect(await ask(wrong)).toBe(401);
  }
  expect(
    await failure(new Stripe('sk_test_wrong', { host: '127.0.0.1', port: new URL(api_base).port, protocol: 'http' }).products.list()),
  ).toMatchObject({
    type: 'StripeAuthenticationError',
  });
});

test.each<[string, () => Promise<unknown>, object]>([
  ['nothing by that id', () => stripe.prices.retrieve('price_none'), { statusCode: 404, code: 'resource_missing', param: 'id' }],
  ['an unknown parameter', () => stripe.customers.create({ nickname: 'x' } as object), { code: 'parameter_unknown', param: 'nickname' }],
  ['a missing parameter', () => stripe.billingPortal.sessions.create({} as never), { code: 'parameter_missing', param: 'customer' }],
  [
    'a customer who is none',
    () => stripe.billingPortal.sessions.create({ customer: 'cus_x' }),
    { code: 'resource_missing', param: 'customer' },
  ],
  [
    'a price that is none',
    () => stripe.checkout.sessions.create({ ...order, line_items: [{ price: 'price_x', quantity: 1 }] }),
    { code: 'resource_missing', param: 'line_items[0][price]' },
  ],
  [
    'a promotion code that is none',
    () => stripe.checkout.sessions.create({ ...order, discounts: [{ promotion_code: 'promo_x' }] }),
    { code: 'resource_missing', param: 'discounts[0][promotion_code]' },
  ],
  [
    'a discount and a field for one',
    () => stripe.checkout.sessions.create({ ...order, discounts: [{ coupon: 'x' }], allow_promotion_codes: true }),
    { param: 'allow_promotion_codes' },
  ],
  [
    'a trial without days',
    () => stripe.checkout.sessions.create({ ...order, subscription_data: { trial_period_days: 0 } }),
    { param: 'subscription_data[trial_period_days]' },
  ],
  ['nothing that can be expanded', () => stripe.prices.retrieve('price_dev_yearly', { expand: ['shop'] }), { param: 'expand' }],
  [
    'a code with a space',
    () => stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: 'x' }, code: 'A B' }),
    { param: 'code' },
  ],
  ['a coupon of nothing', () => stripe.coupons.create({ duration: 'forever' }), { param: 'percent_off' }],
])('a call with %s is refused as an invalid request', async (_what, call, error) => {
  const err = await failure(call());
  expect(err).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  expect(err).toMatchObject({ statusCode: 400, ...error });
});

test('promotion codes are found whatever their case, cannot be taken twice, and end with their time and their uses', async () => {
  const coupon = await stripe.coupons.create({ percent_off: 12.5, duration: 'repeating', duration_in_months: 3, name: 'Spring' });
  const promotion = { type: 'coupon', coupon: coupon.id } as const;
  const seconds = Math.floor(world.clock.now().getTime() / 1000);
  const made = await stripe.promotionCodes.create({ promotion, code: 'Spring-27', expires_at: seconds + 60 });
  expect(await failure(stripe.promotionCodes.create({ promotion, code: 'SPRING-27' }))).toMatchObject({ param: 'code' });
  const found = await stripe.promotionCodes.list({ code: 'sPRING-27', active: true, expand: ['data.promotion.coupon'] });
  expect(found.data).toMatchObject([
    { id: made.id, code: 'Spring-27', promotion: { coupon: { percent_off: 12.5, duration_in_months: 3 } } },
  ]);
  await world.turn(59_000);
  expect((await stripe.promotionCodes.retrieve(made.id)).active).toBe(true);
  await world.turn(1000);
  expect((await stripe.promotionCodes.retrieve(made.id)).active).toBe(false);
  expect(await failure(stripe.checkout.sessions.create({ ...order, discounts: [{ promotion_code: made.id }] }))).toMatchObject({
    statusCode: 400,
  });
  const once = await stripe.promotionCodes.create({ promotion, code: 'ONCE', max_redemptions: 1 });
  await world.buys({ discounts: [{ promotion_code: once.id }] });
  expect(await stripe.promotionCodes.retrieve(once.id)).toMatchObject({ active: false, times_redeemed: 1 });
  await stripe.coupons.del(coupon.id);
  expect(await failure(stripe.coupons.retrieve(coupon.id))).toMatchObject({ statusCode: 404 });
});

test('a session is found by its customer, carries what was said about it, can be ended, and ends by itself after a day', async () => {
  const customer = await stripe.customers.create({ email: 'session@example.org' });
  const make = () =>
    stripe.checkout.sessions.create({
      ...order,
      customer: customer.id,
      client_reference_id: 'account-1',
      metadata: { account: 'account-1' },
    });
  const [one, two] = [await make(), await make()];
  expect(one).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    client_reference_id: 'account-1',
    metadata: { account: 'account-1' },
  });
  expect(one.url?.split('?ticket=')[0]).toBe(`http://localhost:4380/dev/payments/checkout/${one.id}`);
  expect(await stripe.checkout.sessions.expire(one.id)).toMatchObject({ status: 'expired', url: null });
  expect(await failure(stripe.checkout.sessions.expire(one.id))).toMatchObject({ statusCode: 400 });
  const open = await stripe.checkout.sessions.list({ customer: customer.id, status: 'open' });
  expect(open.data.map(({ id }) => id)).toEqual([two.id]);
  await world.turn(86_399_000);
  expect((await stripe.checkout.sessions.retrieve(two.id)).status).toBe('open');
  await world.told();
  await world.turn(1000);
  expect(await world.told()).toEqual(['checkout.session.expired']);
  expect((await stripe.checkout.sessions.retrieve(two.id)).status).toBe('expired');
});

test('a customer is changed and deleted, and a metadata key is taken away by an empty text', async () => {
  const { id } = await stripe.customers.create({ email: 'a@example.org', metadata: { a: '1', b: '2' } });
  expect(await stripe.customers.update(id, { email: 'b@example.org', metadata: { a: '', c: '3' } })).toMatchObject({
    email: 'b@example.org',
    metadata: { b: '2', c: '3' },
  });
  expect((await stripe.customers.list({ email: 'a@example.org' })).data).toEqual([]);
  expect(await stripe.customers.del(id)).toEqual(expect.objectContaining({ id, object: 'customer', deleted: true }));
  expect(await stripe.customers.retrieve(id)).toMatchObject({ deleted: true });
});

test('events are listed by type and time, each with what it is about and what it was before', async () => {
  const from = Math.floor(world.clock.now().getTime() / 1000) + 1;
  await world.turn(1000);
  const { id } = await world.buys();
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  const events = await stripe.events.list({
    created: { gte: from },
    types: ['customer.subscription.created', 'customer.subscription.updated'],
  });
  expect(events.data.map(({ type }) => type)).toEqual(['customer.subscription.updated', 'customer.subscription.created']);
  expect(events.data[0]?.data).toMatchObject({
    object: { id, cancel_at_period_end: true },
    previous_attributes: { cancel_at_period_end: false, cancel_at: null, canceled_at: null },
  });
  expect(Object.keys(events.data[0]?.data.previous_attributes ?? {}).sort()).toEqual(
    ['cancel_at', 'cancel_at_period_end', 'canceled_at', 'cancellation_details'].sort(),
  );
  expect(await stripe.events.list({ created: { gte: from }, type: 'invoice.paid' })).toMatchObject({ data: [{ type: 'invoice.paid' }] });
  expect((await stripe.events.retrieve(events.data[0]?.id ?? '')).request?.id).toMatch(/^req_/);
  expect((await stripe.events.list({ created: { gt: from + 60 } })).data).toEqual([]);
});

test('while it is down every call fails as a broken connection, and afterwards all is there', async () => {
  world.stripeSimulator.down(true);
  const err = await failure(stripe.products.list({}, { maxNetworkRetries: 0 }));
  expect(err).toMatchObject({ type: 'StripeConnectionError' });
  world.stripeSimulator.down(false);
  expect((await stripe.products.list()).data).toHaveLength(3);
  expect(world.stripeSimulator.calls.at(-1)).toBe('GET /v1/products');
});
