import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testStripe } from '../testing/stripe.ts';
import { apiVersion } from './shop.ts';

/** Tests the Stripe simulator with Stripe's own library: every call that the server and the command make. */

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

test("[P6.2] the simulator answers the library's API version and refuses any other", async () => {
  expect(Stripe.API_VERSION).toBe(apiVersion);
  const { lastResponse } = await stripe.products.list();
  expect(lastResponse).toMatchObject({ apiVersion, statusCode: 200, requestId: expect.stringMatching(/^req_\w{14}$/) });
  const otherVersionError = await failure(stripe.products.list({}, { apiVersion: '2020-08-27' }));
  expect(otherVersionError).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400 });
});

test('the test shop sells three plans, by the month and by the year, where a year costs about 33 % less than twelve months', async () => {
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
  const foundPrices = await stripe.prices.list({ lookup_keys: ['dev_monthly'] });
  expect(foundPrices.data.map(({ id }) => id)).toEqual(['price_dev_monthly']);
  expect((await stripe.products.retrieve('prod_dev')).metadata).toEqual({ development: 'true' });
});

test("lists of the simulator start with the newest object, in pages that Stripe's library follows", async () => {
  const createdIds: string[] = [];
  for (let i = 0; i < 5; i++) createdIds.unshift((await stripe.customers.create({ email: 'page@example.org' })).id);
  const firstPage = await stripe.customers.list({ email: 'page@example.org', limit: 2 });
  expect([firstPage.data.map(({ id }) => id), firstPage.has_more, firstPage.url]).toEqual([createdIds.slice(0, 2), true, '/v1/customers']);
  const allPages = await stripe.customers.list({ email: 'page@example.org', limit: 2 }).autoPagingToArray({ limit: 100 });
  expect(allPages.map(({ id }) => id)).toEqual(createdIds);
  const previousPage = await stripe.customers.list({ email: 'page@example.org', limit: 2, ending_before: createdIds[4] ?? '' });
  expect([previousPage.data.map(({ id }) => id), previousPage.has_more]).toEqual([createdIds.slice(2, 4), true]);
  expect((await stripe.customers.list({ email: 'page@example.org', limit: 5 })).has_more).toBe(false);
  expect(await failure(stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
  expect(await failure(stripe.customers.list({ starting_after: 'cus_none' }))).toMatchObject({ param: 'starting_after' });
});

test('a repeated idempotency key creates one customer; with different parameters it is an error', async () => {
  const idempotencyKey = 'account-1';
  const firstCustomer = await stripe.customers.create({ email: 'key@example.org' }, { idempotencyKey });
  const secondCustomer = await stripe.customers.create({ email: 'key@example.org' }, { idempotencyKey });
  expect(secondCustomer.id).toBe(firstCustomer.id);
  expect(secondCustomer.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(firstCustomer.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  expect((await stripe.customers.list({ email: 'key@example.org' })).data).toHaveLength(1);
  const conflictError = await failure(stripe.customers.create({ email: 'other@example.org' }, { idempotencyKey }));
  expect(conflictError).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  await world.turn(24 * 3_600_000 + 1000);
  expect((await stripe.customers.create({ email: 'key@example.org' }, { idempotencyKey })).id).not.toBe(firstCustomer.id);
});

test('the simulator accepts only the right API key, as HTTP Basic or as Bearer', async () => {
  const { api_base, secret_key } = world.stripeSimulator.settings;
  const sendCall = (authorization?: string) =>
    fetch(`${api_base}/v1/products`, authorization ? { headers: { authorization } } : {}).then((answer) => answer.status);
  expect(await sendCall(`Bearer ${secret_key}`)).toBe(200);
  expect(await sendCall(`Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`)).toBe(200);
  for (const wrongAuthorization of [
    undefined,
    `Bearer ${secret_key}x`,
    'Bearer ',
    `Basic ${Buffer.from('sk_test_x:').toString('base64')}`,
    secret_key,
  ]) {
    expect(await sendCall(wrongAuthorization)).toBe(401);
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
])('the simulator refuses a call with %s as an invalid request', async (_what, call, error) => {
  const err = await failure(call());
  expect(err).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  expect(err).toMatchObject({ statusCode: 400, ...error });
});

test('promotion codes ignore case, are unique, and end after their last day or last use', async () => {
  const coupon = await stripe.coupons.create({ percent_off: 12.5, duration: 'repeating', duration_in_months: 3, name: 'Spring' });
  const promotion = { type: 'coupon', coupon: coupon.id } as const;
  const seconds = Math.floor(world.clock.now().getTime() / 1000);
  const createdCode = await stripe.promotionCodes.create({ promotion, code: 'Spring-27', expires_at: seconds + 60 });
  expect(await failure(stripe.promotionCodes.create({ promotion, code: 'SPRING-27' }))).toMatchObject({ param: 'code' });
  const foundCodes = await stripe.promotionCodes.list({ code: 'sPRING-27', active: true, expand: ['data.promotion.coupon'] });
  expect(foundCodes.data).toMatchObject([
    { id: createdCode.id, code: 'Spring-27', promotion: { coupon: { percent_off: 12.5, duration_in_months: 3 } } },
  ]);
  await world.turn(59_000);
  expect((await stripe.promotionCodes.retrieve(createdCode.id)).active).toBe(true);
  await world.turn(1000);
  expect((await stripe.promotionCodes.retrieve(createdCode.id)).active).toBe(false);
  expect(await failure(stripe.checkout.sessions.create({ ...order, discounts: [{ promotion_code: createdCode.id }] }))).toMatchObject({
    statusCode: 400,
  });
  const oneUseCode = await stripe.promotionCodes.create({ promotion, code: 'ONCE', max_redemptions: 1 });
  await world.buys({ discounts: [{ promotion_code: oneUseCode.id }] });
  expect(await stripe.promotionCodes.retrieve(oneUseCode.id)).toMatchObject({ active: false, times_redeemed: 1 });
  await stripe.coupons.del(coupon.id);
  expect(await failure(stripe.coupons.retrieve(coupon.id))).toMatchObject({ statusCode: 404 });
});

test('a checkout session is listed by customer, has its metadata, can be expired, and expires by itself after a day', async () => {
  const customer = await stripe.customers.create({ email: 'session@example.org' });
  const makeSession = () =>
    stripe.checkout.sessions.create({
      ...order,
      customer: customer.id,
      client_reference_id: 'account-1',
      metadata: { account: 'account-1' },
    });
  const [firstSession, secondSession] = [await makeSession(), await makeSession()];
  expect(firstSession).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    client_reference_id: 'account-1',
    metadata: { account: 'account-1' },
  });
  expect(firstSession.url?.split('?ticket=')[0]).toBe(`http://localhost:4380/dev/payments/checkout/${firstSession.id}`);
  expect(await stripe.checkout.sessions.expire(firstSession.id)).toMatchObject({ status: 'expired', url: null });
  expect(await failure(stripe.checkout.sessions.expire(firstSession.id))).toMatchObject({ statusCode: 400 });
  const openSessions = await stripe.checkout.sessions.list({ customer: customer.id, status: 'open' });
  expect(openSessions.data.map(({ id }) => id)).toEqual([secondSession.id]);
  await world.turn(86_399_000);
  expect((await stripe.checkout.sessions.retrieve(secondSession.id)).status).toBe('open');
  await world.told();
  await world.turn(1000);
  expect(await world.told()).toEqual(['checkout.session.expired']);
  expect((await stripe.checkout.sessions.retrieve(secondSession.id)).status).toBe('expired');
});

test('a customer can be changed and deleted, and an empty text deletes a metadata key', async () => {
  const { id } = await stripe.customers.create({ email: 'a@example.org', metadata: { a: '1', b: '2' } });
  expect(await stripe.customers.update(id, { email: 'b@example.org', metadata: { a: '', c: '3' } })).toMatchObject({
    email: 'b@example.org',
    metadata: { b: '2', c: '3' },
  });
  expect((await stripe.customers.list({ email: 'a@example.org' })).data).toEqual([]);
  expect(await stripe.customers.del(id)).toEqual(expect.objectContaining({ id, object: 'customer', deleted: true }));
  expect(await stripe.customers.retrieve(id)).toMatchObject({ deleted: true });
});

test('events are listed by type and time, with the changed object and its previous values', async () => {
  const startTime = Math.floor(world.clock.now().getTime() / 1000) + 1;
  await world.turn(1000);
  const { id } = await world.buys();
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  const events = await stripe.events.list({
    created: { gte: startTime },
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
  expect(await stripe.events.list({ created: { gte: startTime }, type: 'invoice.paid' })).toMatchObject({
    data: [{ type: 'invoice.paid' }],
  });
  expect((await stripe.events.retrieve(events.data[0]?.id ?? '')).request?.id).toMatch(/^req_/);
  expect((await stripe.events.list({ created: { gt: startTime + 60 } })).data).toEqual([]);
});

test('the test shop has one webhook, which reports every event to the server of its pages', async () => {
  const { data, has_more } = await stripe.webhookEndpoints.list({ limit: 100 });
  expect({ has_more, data }).toMatchObject({
    has_more: false,
    data: [{ object: 'webhook_endpoint', url: 'http://localhost:4380/api/stripe/webhook', status: 'enabled', enabled_events: ['*'] }],
  });
});

test('while the Stripe simulator is down, every call fails with a connection error, and afterwards all data is still there', async () => {
  world.stripeSimulator.down(true);
  const err = await failure(stripe.products.list({}, { maxNetworkRetries: 0 }));
  expect(err).toMatchObject({ type: 'StripeConnectionError' });
  world.stripeSimulator.down(false);
  expect((await stripe.products.list()).data).toHaveLength(3);
  expect(world.stripeSimulator.calls.at(-1)).toBe('GET /v1/products');
});
