import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { family, individual, order, pay } from '../../testing/pay.ts';
import { fakeAddress, goodPassword, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const stripe = () => server.payments.stripe;
const { customerOf, planOf, subsOf } = buyers(() => server);
const tryOrder = (token: string, price = family, promo: string | null = null) =>
  server.call('POST /web/profile/sub/order', { token, body: { price, promo } });
const createGranted = (email: string, gift: object) => server.db.updateTable('accounts').set(gift).where('email', '=', email).execute();
const sessionsOf = async (email: string) => (await stripe().checkout.sessions.list({ customer: await customerOf(email), limit: 100 })).data;

test('[7.20] [3.11] products have our names, and prices in cents with their device limits', async () => {
  const { token } = await newcomer(server);
  const { status, body } = await server.call('GET /web/profile/sub/products', { token });
  expect(status).toBe(200);
  const products = body.products as unknown as {
    id: string;
    name: string;
    prices: { id: string; amount: number; interval: string; metadata: { metadata: string } }[];
  }[];
  expect(products.map(({ name }) => name).sort()).toEqual(['Friends & Family', 'Individual']);
  for (const { name, prices } of products) {
    const limit = { Individual: 1, 'Friends & Family': 5 }[name];
    expect(prices.map(({ interval }) => interval).sort()).toEqual(['month', 'year']);
    for (const { id, amount, metadata } of prices) {
      expect(Object.keys(JSON.parse(metadata.metadata))).toEqual(['device_limit']);
      expect(JSON.parse(metadata.metadata)).toEqual({ device_limit: limit });
      expect(amount).toBe((await stripe().prices.retrieve(id)).unit_amount);
    }
  }
  expect((await stripe().products.list()).data.map(({ name }) => name)).not.toContain('Individual');
});

test('[7.20] the product list is fetched from Stripe at most once a minute', async () => {
  const { token } = await newcomer(server);
  server.clock.turn(60_001);
  let requestCount = 0;
  const count = ({ path }: { path: string }) => {
    if (path.startsWith('/v1/prices')) requestCount += 1;
  };
  stripe().on('request', count);
  await Promise.all(Array.from({ length: 10 }, () => server.call('GET /web/profile/sub/products', { token })));
  server.clock.turn(59_999);
  await server.call('GET /web/profile/sub/products', { token });
  expect(requestCount).toBe(1);
  server.clock.turn(1);
  await server.call('GET /web/profile/sub/products', { token });
  expect(requestCount).toBe(2);
  stripe().off('request', count);
});

test("[7.19] [7.17] [9.1] an order leads to Stripe's page, paying starts a 14-day trial, and the plan shows what was bought", async () => {
  const { token, email } = await newcomer(server);
  expect(await planOf(token)).toMatchObject({ subscribed: false, device_limit: 0, expires: null, status: null, price: null });
  const url = await order(server, token, family);
  const [session] = await sessionsOf(email);
  expect(session).toMatchObject({
    mode: 'subscription',
    status: 'open',
    url,
    success_url: 'http://localhost:4380/dashboard/stripe/success',
    cancel_url: 'http://localhost:4380/dashboard/stripe/cancel',
  });
  await pay(server, url);
  const [sub] = await subsOf(email);
  const nowSeconds = Math.floor(server.clock.now().getTime() / 1000);
  expect(sub).toMatchObject({ status: 'trialing', trial_end: nowSeconds + (14 * day) / 1000 });
  const price = await stripe().prices.retrieve(family);
  expect(await planOf(token)).toEqual({
    subscribed: true,
    device_limit: 5,
    expires: new Date((sub?.trial_end ?? 0) * 1000).toISOString(),
    external: false,
    lifetime: false,
    register_promo_code: null,
    status: 'trialing',
    renews: true,
    price: family,
    plan: 'Friends & Family',
    amount: price.unit_amount,
    interval: 'year',
  });
});

test('[P6.1] an open subscription prevents a second order, even if only Stripe knows it', async () => {
  const { token, email } = await newcomer(server);
  await server.stripeSimulator.pauseDelivery(true);
  await pay(server, await order(server, token));
  expect(await tryOrder(token, individual)).toMatchObject({ status: 409, body: { code: 'subscription_open' } });
  expect(await sessionsOf(email)).toHaveLength(1);
  await server.stripeSimulator.pauseDelivery(false);
  await server.stripeSimulator.deliver();
  expect(await tryOrder(token, individual)).toMatchObject({ status: 409, body: { code: 'subscription_open' } });
  const [sub] = await subsOf(email);
  await stripe().subscriptions.update(sub?.id ?? '', { cancel_at_period_end: true });
  expect(await tryOrder(token)).toMatchObject({ status: 409, body: { code: 'subscription_open' } });
});

test('two simultaneous orders share one page, and an order of another price closes the previous page', async () => {
  const { token, email } = await newcomer(server);
  const urls = await Promise.all([order(server, token), order(server, token)]);
  expect(urls[0]).toBe(urls[1]);
  expect(await order(server, token)).toBe(urls[0]);
  const otherUrl = await order(server, token, individual);
  expect(otherUrl).not.toBe(urls[0]);
  const sessions = await sessionsOf(email);
  expect(sessions.filter(({ status }) => status === 'open').map(({ url }) => url)).toEqual([otherUrl]);
  expect(sessions).toHaveLength(2);
  expect((await stripe().customers.list({ email })).data).toHaveLength(1);
  const repeatedUrls = await Promise.all([order(server, token), order(server, token)]);
  expect(repeatedUrls[0]).toBe(repeatedUrls[1]);
  const otherBuyer = await newcomer(server);
  await Promise.all([order(server, otherBuyer.token), order(server, otherBuyer.token, individual)]);
  expect((await sessionsOf(otherBuyer.email)).filter(({ status }) => status === 'open')).toHaveLength(1);
});

test('[9.1] a returning customer gets no second trial, even with another account of the same address', async () => {
  const { token, email } = await newcomer(server);
  await pay(server, await order(server, token));
  const [firstSub] = await subsOf(email);
  await stripe().subscriptions.cancel(firstSub?.id ?? '');
  await server.stripeSimulator.deliver();
  expect(await planOf(token)).toMatchObject({ subscribed: false, status: 'ended' });
  await pay(server, await order(server, token));
  const secondSub = (await subsOf(email)).find(({ id }) => id !== firstSub?.id);
  expect(secondSub).toMatchObject({ status: 'active', trial_end: null });

  // Changing the first account's address makes the address available again.
  await createGranted(email, { email: `moved-${email}` });
  const secondBuyer = await newcomer(server, 'Ann Again', email);
  await pay(server, await order(server, secondBuyer.token));
  expect((await subsOf(email))[0]).toMatchObject({ status: 'active', trial_end: null });
  const newBuyer = await newcomer(server);
  await pay(server, await order(server, newBuyer.token));
  expect((await subsOf(newBuyer.email))[0]).toMatchObject({ status: 'trialing' });
});

test('[6.7] an externally managed plan can be neither ordered nor changed, and a lifetime plan cannot be ordered: each answer has its own reason', async () => {
  const { token, email } = await person(server);
  await createGranted(email, { external: true });
  expect(await tryOrder(token)).toMatchObject({ status: 409, body: { code: 'external_plan' } });
  expect(await server.call('POST /web/profile/sub/portal', { token })).toMatchObject({ status: 409, body: { code: 'external_plan' } });
  await createGranted(email, { external: false, lifetime: true });
  expect(await tryOrder(token)).toMatchObject({
    status: 409,
    body: { code: 'lifetime_plan', error: 'Your plan is for life, so there is nothing to order.' },
  });
});

test('[7.18] the portal opens only for accounts that have or had a subscription', async () => {
  const withoutPlan = await newcomer(server);
  expect(await server.call('POST /web/profile/sub/portal', { token: withoutPlan.token })).toMatchObject({
    status: 409,
    body: { code: 'no_subscription' },
  });
  await order(server, withoutPlan.token);
  expect((await server.call('POST /web/profile/sub/portal', { token: withoutPlan.token })).body.code).toBe('no_subscription');
  const { token } = await person(server);
  const { status, body } = await server.call('POST /web/profile/sub/portal', { token });
  expect(status).toBe(200);
  expect(String(body)).toMatch(/^http:\/\/localhost:4380\/dev\/payments\/portal\//);
});

test('an order needs a confirmed address and a price that is on sale', async () => {
  const headers = { 'x-forwarded-for': fakeAddress() };
  const login = { email: 'unconfirmed@example.org', password: goodPassword };
  await server.call('POST /register', { body: { name: 'Ann', ...login }, headers });
  const { body } = await server.call('POST /login/web', { body: login, headers });
  expect(await tryOrder(String(body.web_token))).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
  const { token } = await newcomer(server);
  for (const price of ['price_nothing', 'prod_x', family.toUpperCase()]) {
    expect(await tryOrder(token, price)).toMatchObject({ status: 404, body: { code: 'price_unknown' } });
  }
  expect(await tryOrder(token, '')).toMatchObject({ status: 422 });
});

test('a granted device limit does not prevent buying, and the higher limit counts', async () => {
  const { token, email } = await newcomer(server);
  await createGranted(email, { device_limit: 3 });
  expect(await planOf(token)).toMatchObject({ subscribed: false, device_limit: 3, status: null });
  await pay(server, await order(server, token, individual));
  expect(await planOf(token)).toMatchObject({ subscribed: true, device_limit: 3, plan: 'Individual' });
  await createGranted(email, { device_limit: 0 });
  expect(await planOf(token)).toMatchObject({ subscribed: true, device_limit: 1 });
});

test('[P6.4] a subscription or any grant is a valid plan, and without either there is none', async () => {
  const { token, email } = await newcomer(server);
  const devices = async () => (await server.call('GET /web/devices', { token })).status;
  expect(await devices()).toBe(403);
  for (const gift of [{ external: true }, { lifetime: true }, { device_limit: 1 }]) {
    await createGranted(email, gift);
    expect(await devices(), JSON.stringify(gift)).toBe(200);
    await createGranted(email, { external: false, lifetime: false, device_limit: 0 });
    expect(await devices()).toBe(403);
  }
  await pay(server, await order(server, token));
  expect(await devices()).toBe(200);
});

test('[7.19] an order includes the given promo or the one from registration, and leaves out invalid ones', async () => {
  const coupon = await stripe().coupons.create({ percent_off: 25, duration: 'forever' });
  const createdPromo = await stripe().promotionCodes.create({ code: 'ORDER25', promotion: { type: 'coupon', coupon: coupon.id } });
  const discountOf = async (email: string) => {
    const openSession = (await sessionsOf(email)).find(({ status }) => status === 'open');
    const promotion = openSession?.discounts?.[0]?.promotion_code ?? null;
    return {
      promotion: typeof promotion === 'object' ? (promotion?.id ?? null) : promotion,
      may_type: openSession?.allow_promotion_codes ?? null,
    };
  };
  const a = await newcomer(server);
  await order(server, a.token, family, 'order25');
  expect((await discountOf(a.email)).promotion).toBe(createdPromo.id);
  await order(server, a.token, family, 'NOTHING');
  expect(await discountOf(a.email)).toEqual({ promotion: null, may_type: true });
  const b = await newcomer(server);
  await createGranted(b.email, { register_promo_code: 'ORDER25' });
  await order(server, b.token);
  expect((await discountOf(b.email)).promotion).toBe(createdPromo.id);
  await stripe().promotionCodes.update(createdPromo.id, { active: false });
  await order(server, b.token);
  expect(await discountOf(b.email)).toEqual({ promotion: null, may_type: true });
});
