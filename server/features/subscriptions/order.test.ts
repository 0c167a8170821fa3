import { afterAll, beforeAll, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { family, individual, order, pay } from '../../testing/pay.ts';
import { fakeAddress, goodPassword, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const day = 86_400_000;
const stripe = () => server.payments.stripe;
const { customerOf, planOf, subsOf } = buyers(() => server);
const tryOrder = (token: string, price = family, promo: string | null = null) =>
  server.call('POST /web/profile/sub/order', { token, body: { price, promo } });
const grant = (email: string, gift: object) => server.db.updateTable('accounts').set(gift).where('email', '=', email).execute();
const sessionsOf = async (email: string) => (await stripe().checkout.sessions.list({ customer: await customerOf(email), limit: 100 })).data;

test('[7.20] [3.11] products have the names of the list, and prices in cents with how many devices they are for', async () => {
  const { token } = await newcomer(server);
  const { status, body } = await server.call('GET /web/profile/sub/products', { token });
  expect(status).toBe(200);
  const all = body.products as unknown as {
    id: string;
    name: string;
    prices: { id: string; amount: number; interval: string; metadata: { metadata: string } }[];
  }[];
  expect(all.map(({ name }) => name).sort()).toEqual(['Friends & Family', 'Individual']);
  for (const { name, prices } of all) {
    const limit = { Individual: 1, 'Friends & Family': 5 }[name];
    expect(prices.map(({ interval }) => interval).sort()).toEqual(['month', 'year']);
    for (const { id, amount, metadata } of prices) {
      expect(Object.keys(JSON.parse(metadata.metadata))).toEqual(['device_limit']);
      expect(JSON.parse(metadata.metadata)).toEqual({ device_limit: limit });
      expect(amount).toBe((await stripe().prices.retrieve(id)).unit_amount);
    }
  }
  // At Stripe they are called otherwise.
  expect((await stripe().products.list()).data.map(({ name }) => name)).not.toContain('Individual');
});

test('[7.20] asking for the products often asks Stripe once a minute', async () => {
  const { token } = await newcomer(server);
  server.clock.turn(60_001);
  let asked = 0;
  const count = ({ path }: { path: string }) => {
    if (path.startsWith('/v1/prices')) asked += 1;
  };
  stripe().on('request', count);
  await Promise.all(Array.from({ length: 10 }, () => server.call('GET /web/profile/sub/products', { token })));
  server.clock.turn(59_999);
  await server.call('GET /web/profile/sub/products', { token });
  expect(asked).toBe(1);
  server.clock.turn(1);
  await server.call('GET /web/profile/sub/products', { token });
  expect(asked).toBe(2);
  stripe().off('request', count);
});

test('[7.19] [7.17] [9.1] an order leads to a page at Stripe, and paying there begins a trial of 14 days; the plan says what was bought', async () => {
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
  const now = Math.floor(server.clock.now().getTime() / 1000);
  expect(sub).toMatchObject({ status: 'trialing', trial_end: now + (14 * day) / 1000 });
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

test('[P6.1] an open subscription refuses a second order, also when only Stripe knows of it', async () => {
  const { token, email } = await newcomer(server);
  await server.stripeSimulator.hold(true);
  await pay(server, await order(server, token));
  expect(await tryOrder(token, individual)).toMatchObject({ status: 409, body: { code: 'subscription_open' } });
  expect(await sessionsOf(email)).toHaveLength(1);
  await server.stripeSimulator.hold(false);
  await server.stripeSimulator.deliver();
  expect(await tryOrder(token, individual)).toMatchObject({ status: 409, body: { code: 'subscription_open' } });
  // The same for one that will end, and for one that is not paid.
  const [sub] = await subsOf(email);
  await stripe().subscriptions.update(sub?.id ?? '', { cancel_at_period_end: true });
  expect(await tryOrder(token)).toMatchObject({ status: 409, body: { code: 'subscription_open' } });
});

test('two orders at once lead to one page; for another price the newer page is the one that is open', async () => {
  const { token, email } = await newcomer(server);
  const both = await Promise.all([order(server, token), order(server, token)]);
  expect(both[0]).toBe(both[1]);
  expect(await order(server, token)).toBe(both[0]);
  const other = await order(server, token, individual);
  expect(other).not.toBe(both[0]);
  const sessions = await sessionsOf(email);
  expect(sessions.filter(({ status }) => status === 'open').map(({ url }) => url)).toEqual([other]);
  expect(sessions).toHaveLength(2);
  expect((await stripe().customers.list({ email })).data).toHaveLength(1);
  // Also for whom nobody waits because they are known at Stripe already.
  const again = await Promise.all([order(server, token), order(server, token)]);
  expect(again[0]).toBe(again[1]);
  const apart = await newcomer(server);
  await Promise.all([order(server, apart.token), order(server, apart.token, individual)]);
  expect((await sessionsOf(apart.email)).filter(({ status }) => status === 'open')).toHaveLength(1);
});

test('[9.1] there is one trial: who comes back pays at once, also with another account of the same address', async () => {
  const { token, email } = await newcomer(server);
  await pay(server, await order(server, token));
  const [first] = await subsOf(email);
  await stripe().subscriptions.cancel(first?.id ?? '');
  await server.stripeSimulator.deliver();
  expect(await planOf(token)).toMatchObject({ subscribed: false, status: 'ended' });
  await pay(server, await order(server, token));
  const again = (await subsOf(email)).find(({ id }) => id !== first?.id);
  expect(again).toMatchObject({ status: 'active', trial_end: null });

  // The address is free again once its account has another one.
  await grant(email, { email: `moved-${email}` });
  const second = await newcomer(server, 'Ann Again', email);
  await pay(server, await order(server, second.token));
  expect((await subsOf(email))[0]).toMatchObject({ status: 'active', trial_end: null });
  // Someone else has their own.
  const someone = await newcomer(server);
  await pay(server, await order(server, someone.token));
  expect((await subsOf(someone.email))[0]).toMatchObject({ status: 'trialing' });
});

test('[6.7] a plan that someone else manages can be neither ordered nor changed, one for life not be ordered', async () => {
  const { token, email } = await person(server);
  await grant(email, { external: true });
  expect(await tryOrder(token)).toMatchObject({ status: 409, body: { code: 'external_plan' } });
  expect(await server.call('POST /web/profile/sub/portal', { token })).toMatchObject({ status: 409, body: { code: 'external_plan' } });
  await grant(email, { external: false, lifetime: true });
  expect(await tryOrder(token)).toMatchObject({ status: 409, body: { code: 'external_plan' } });
});

test('[7.18] the portal has an address for whoever has or had a subscription, and for nobody else', async () => {
  const none = await newcomer(server);
  expect(await server.call('POST /web/profile/sub/portal', { token: none.token })).toMatchObject({
    status: 409,
    body: { code: 'no_subscription' },
  });
  await order(server, none.token);
  expect((await server.call('POST /web/profile/sub/portal', { token: none.token })).body.code).toBe('no_subscription');
  const { token } = await person(server);
  const { status, body } = await server.call('POST /web/profile/sub/portal', { token });
  expect(status).toBe(200);
  expect(String(body)).toMatch(/^http:\/\/localhost:4380\/dev\/payments\/portal\//);
});

test('an order waits for a confirmed address, and wants a price that is sold', async () => {
  const headers = { 'x-forwarded-for': fakeAddress() };
  const who = { email: 'unconfirmed@example.org', password: goodPassword };
  await server.call('POST /register', { body: { name: 'Ann', ...who }, headers });
  const { body } = await server.call('POST /login/web', { body: who, headers });
  expect(await tryOrder(String(body.web_token))).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
  const { token } = await newcomer(server);
  for (const price of ['price_nothing', 'prod_x', family.toUpperCase()]) {
    expect(await tryOrder(token, price)).toMatchObject({ status: 404, body: { code: 'price_unknown' } });
  }
  expect(await tryOrder(token, '')).toMatchObject({ status: 422 });
});

test('complementary access is no subscription: it can buy, and keeps what is more', async () => {
  const { token, email } = await newcomer(server);
  await grant(email, { device_limit: 3 });
  expect(await planOf(token)).toMatchObject({ subscribed: false, device_limit: 3, status: null });
  await pay(server, await order(server, token, individual));
  expect(await planOf(token)).toMatchObject({ subscribed: true, device_limit: 3, plan: 'Individual' });
  await grant(email, { device_limit: 0 });
  expect(await planOf(token)).toMatchObject({ subscribed: true, device_limit: 1 });
});

test('[P6.4] who has neither a subscription nor anything granted has no valid plan, and any one of them is enough', async () => {
  const { token, email } = await newcomer(server);
  const devices = async () => (await server.call('GET /web/devices', { token })).status;
  expect(await devices()).toBe(403);
  for (const gift of [{ external: true }, { lifetime: true }, { device_limit: 1 }]) {
    await grant(email, gift);
    expect(await devices(), JSON.stringify(gift)).toBe(200);
    await grant(email, { external: false, lifetime: false, device_limit: 0 });
    expect(await devices()).toBe(403);
  }
  await pay(server, await order(server, token));
  expect(await devices()).toBe(200);
});

test('[7.19] a promo comes along: the one that is given, or the one that was registered with; a bad one is left out', async () => {
  const coupon = await stripe().coupons.create({ percent_off: 25, duration: 'forever' });
  const made = await stripe().promotionCodes.create({ code: 'ORDER25', promotion: { type: 'coupon', coupon: coupon.id } });
  const discountOf = async (email: string) => {
    const open = (await sessionsOf(email)).find(({ status }) => status === 'open');
    const promotion = open?.discounts?.[0]?.promotion_code ?? null;
    return {
      promotion: typeof promotion === 'object' ? (promotion?.id ?? null) : promotion,
      may_type: open?.allow_promotion_codes ?? null,
    };
  };
  const a = await newcomer(server);
  await order(server, a.token, family, 'order25');
  expect((await discountOf(a.email)).promotion).toBe(made.id);
  await order(server, a.token, family, 'NOTHING');
  expect(await discountOf(a.email)).toEqual({ promotion: null, may_type: true });
  const b = await newcomer(server);
  await grant(b.email, { register_promo_code: 'ORDER25' });
  await order(server, b.token);
  expect((await discountOf(b.email)).promotion).toBe(made.id);
  await stripe().promotionCodes.update(made.id, { active: false });
  await order(server, b.token);
  expect(await discountOf(b.email)).toEqual({ promotion: null, may_type: true });
});
