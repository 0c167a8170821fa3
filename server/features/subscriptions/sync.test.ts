import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { family, individual, order, pay } from '../../testing/pay.ts';
import { newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const stripe = () => server.payments.stripe;
const { accountOf, planOf, subsOf } = buyers(() => server);

async function callsDuring(action: () => Promise<unknown>): Promise<number> {
  let requestCount = 0;
  const count = () => {
    requestCount += 1;
  };
  stripe().on('request', count);
  await action();
  stripe().off('request', count);
  return requestCount;
}

test('[P6.1] after a payment without a webhook, viewing the plan fetches it from Stripe', async () => {
  const { token } = await newcomer(server);
  const page = await order(server, token);
  await server.stripeSimulator.pauseDelivery(true);
  expect(await planOf(token)).toMatchObject({ subscribed: false });
  await pay(server, page);
  server.clock.turn(999);
  expect(await planOf(token)).toMatchObject({ subscribed: false });
  server.clock.turn(1);
  expect(await planOf(token)).toMatchObject({ subscribed: true, device_limit: 5 });
  await server.stripeSimulator.pauseDelivery(false);
});

test('[P6.1] a webhook that arrives 60 s late does not change the plan', async () => {
  const { token, email } = await newcomer(server);
  await server.stripeSimulator.pauseDelivery(true);
  await pay(server, await order(server, token));
  const plan = await planOf(token);
  expect(plan.subscribed).toBe(true);
  server.clock.turn(60_000);
  await server.stripeSimulator.pauseDelivery(false);
  await server.stripeSimulator.deliver();
  expect(await planOf(token)).toEqual(plan);
  expect(
    await server.db
      .selectFrom('payment_events')
      .select('id')
      .where('customer', '=', (await accountOf(email)).customer)
      .execute(),
  ).not.toEqual([]);
});

test('[P6.1] fifty simultaneous requests for a plan cause at most two calls to Stripe, and without an open payment none', async () => {
  const { token } = await newcomer(server);
  await server.stripeSimulator.pauseDelivery(true);
  await pay(server, await order(server, token));
  const requestPlans = (token: string) => () => Promise.all(Array.from({ length: 50 }, () => planOf(token)));
  const callCount = await callsDuring(requestPlans(token));
  expect(callCount).toBeGreaterThanOrEqual(1);
  expect(callCount).toBeLessThanOrEqual(2);
  expect((await planOf(token)).subscribed).toBe(true);
  await server.stripeSimulator.pauseDelivery(false);
  await server.stripeSimulator.deliver();
  server.clock.turn(5000);
  expect(await callsDuring(requestPlans(token))).toBe(0);
  const newBuyer = await newcomer(server);
  expect(await callsDuring(requestPlans(newBuyer.token))).toBe(0);
});

test('a day after a payment page was opened, viewing the plan no longer calls Stripe', async () => {
  const { token } = await newcomer(server);
  await order(server, token);
  await server.stripeSimulator.pauseDelivery(true);
  server.clock.turn(25 * 3_600_000 - 1);
  // The nightly sync runs first, so that its calls are not counted.
  await server.app.worker.idle();
  expect(await callsDuring(() => planOf(token))).toBe(1);
  server.clock.turn(1001);
  await server.app.worker.idle();
  expect(await callsDuring(() => planOf(token))).toBe(0);
  await server.stripeSimulator.pauseDelivery(false);
});

test('[P6.1] of two paid subscriptions the newer one is cancelled', async () => {
  const { token, email } = await person(server);
  const { customer, uuid } = await accountOf(email);
  const [firstSub] = await subsOf(email);
  // Bypasses our check for duplicates, as a second window can, and has no trial, so that it is charged.
  server.clock.turn(1000);
  const session = await stripe().checkout.sessions.create({
    mode: 'subscription',
    customer,
    client_reference_id: uuid,
    line_items: [{ price: individual, quantity: 1 }],
    success_url: 'http://localhost:4380/dashboard/stripe/success',
  });
  await pay(server, session.url ?? '');
  await server.stripeSimulator.deliver();
  const currentSubs = await subsOf(email);
  expect(currentSubs).toHaveLength(2);
  expect(currentSubs.filter(({ status }) => status !== 'canceled').map(({ id }) => id)).toEqual([firstSub?.id]);
  expect(await planOf(token)).toMatchObject({ subscribed: true });
  const subjects = (await server.mailsTo(email)).map(({ subject }) => subject);
  expect(subjects).not.toContain('Your plan has ended');
});

test('[P6.1] an outdated answer from Stripe does not replace a newer one', async () => {
  const { token, email } = await person(server);
  const [sub] = await subsOf(email);
  const realList = stripe().subscriptions.list.bind(stripe().subscriptions);
  let resolveRelease = () => {};
  const released = new Promise<void>((resolve) => {
    resolveRelease = resolve;
  });
  let resolveAnswered = () => {};
  const answered = new Promise<void>((resolve) => {
    resolveAnswered = resolve;
  });
  const slowList = (async (params: Stripe.SubscriptionListParams) => {
    const answer = await realList(params).autoPagingToArray({ limit: 100 });
    resolveAnswered();
    await released;
    return answer;
  }) satisfies unknown;
  stripe().subscriptions.list = ((params: Stripe.SubscriptionListParams) => ({
    autoPagingToArray: () => slowList(params),
  })) as unknown as typeof realList;
  await server.stripeSimulator.pauseDelivery(true);
  await stripe().subscriptions.update(sub?.id ?? '', { trial_end: 'now' });
  const [event] = (await stripe().events.list({ type: 'customer.subscription.updated', limit: 1 })).data;
  const sendEvent = (id: string) => {
    const body = JSON.stringify({ ...event, id });
    const timestamp = Math.floor(server.clock.now().getTime() / 1000);
    const signature = stripe().webhooks.generateTestHeaderString({ payload: body, secret: server.payments.webhook_secret, timestamp });
    return server.app.http.inject({
      method: 'POST',
      url: '/api/stripe/webhook',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      payload: body,
    });
  };
  const lateReply = sendEvent('evt_first');
  await answered;
  stripe().subscriptions.list = realList;
  await stripe().subscriptions.cancel(sub?.id ?? '');
  expect((await sendEvent('evt_second')).statusCode).toBe(200);
  expect(await planOf(token)).toMatchObject({ status: 'ended' });
  resolveRelease();
  expect((await lateReply).statusCode).toBe(200);
  expect(await planOf(token)).toMatchObject({ status: 'ended' });
  await server.stripeSimulator.pauseDelivery(false);
});

test('[3.11] unreadable metadata gives a limit of one device and a log entry', async () => {
  const product = await stripe().products.create({ name: 'Own plan' });
  for (const metadata of ['{"device_limit":', '{}', '{"device_limit":"many"}', '{"device_limit":-1}', null]) {
    const price = await stripe().prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
      ...(metadata === null ? {} : { metadata: { metadata } }),
    });
    server.clock.turn(60_001);
    const { token } = await newcomer(server);
    const { body } = await server.call('GET /web/profile/sub/products', { token });
    const products = body.products as unknown as { name: string; prices: { id: string; metadata: { metadata: string } }[] }[];
    const listedPrice = products.flatMap(({ prices }) => prices).find(({ id }) => id === price.id);
    expect(JSON.parse(listedPrice?.metadata.metadata ?? '')).toEqual({ device_limit: 1 });
    await pay(server, await order(server, token, price.id));
    expect(await planOf(token)).toMatchObject({ subscribed: true, device_limit: 1, plan: 'Own plan', amount: 500, interval: 'month' });
  }
  expect(server.logged()).toContain('the metadata of a price does not say its device limit');
});

test('[P6.1] the plan follows changes in the portal: another price, cancelling, and resuming', async () => {
  const { token, email } = await person(server);
  const [sub] = await subsOf(email);
  const item = sub?.items.data[0]?.id ?? '';
  await stripe().subscriptions.update(sub?.id ?? '', { items: [{ id: item, price: individual }] });
  await server.stripeSimulator.deliver();
  expect(await planOf(token)).toMatchObject({ plan: 'Individual', device_limit: 1, interval: 'month', renews: true });
  await stripe().subscriptions.update(sub?.id ?? '', { cancel_at_period_end: true });
  await server.stripeSimulator.deliver();
  expect(await planOf(token)).toMatchObject({ subscribed: true, renews: false });
  await stripe().subscriptions.update(sub?.id ?? '', { cancel_at_period_end: false, items: [{ id: item, price: family }] });
  await server.stripeSimulator.deliver();
  expect(await planOf(token)).toMatchObject({ subscribed: true, renews: true, device_limit: 5 });
});

test('[3.9] a subscription that begins on 31 January is paid until the last day of February', async () => {
  const otherServer = await testServer();
  try {
    otherServer.clock.turn(new Date('2027-01-17T10:00:00Z').getTime() - otherServer.clock.now().getTime());
    const { token } = await newcomer(otherServer);
    await pay(otherServer, await order(otherServer, token, individual));
    await otherServer.stripeSimulator.deliver();
    expect((await otherServer.call('GET /web/profile/sub', { token })).body.expires).toBe('2027-01-31T10:00:00.000Z');
    otherServer.clock.turn(14 * 86_400_000 + 1000);
    await otherServer.stripeSimulator.deliver();
    const { body } = await otherServer.call('GET /web/profile/sub', { token });
    expect(body).toMatchObject({ status: 'active', expires: '2027-02-28T10:00:00.000Z' });
  } finally {
    await otherServer.close();
  }
});
