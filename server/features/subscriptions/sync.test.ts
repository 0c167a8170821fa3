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

/** How many calls Stripe gets while something happens. */
async function callsDuring(what: () => Promise<unknown>): Promise<number> {
  let asked = 0;
  const count = () => {
    asked += 1;
  };
  stripe().on('request', count);
  await what();
  stripe().off('request', count);
  return asked;
}

test('[P6.1] a webhook that never comes fails nobody who paid: their first look at the plan asks Stripe', async () => {
  const { token } = await newcomer(server);
  const page = await order(server, token);
  await server.stripeSimulator.hold(true);
  expect(await planOf(token)).toMatchObject({ subscribed: false });
  await pay(server, page);
  server.clock.turn(999);
  expect(await planOf(token)).toMatchObject({ subscribed: false });
  server.clock.turn(1);
  expect(await planOf(token)).toMatchObject({ subscribed: true, device_limit: 5 });
  await server.stripeSimulator.hold(false);
});

test('[P6.1] a webhook that comes 60 s late changes nothing of what the person has by then', async () => {
  const { token, email } = await newcomer(server);
  await server.stripeSimulator.hold(true);
  await pay(server, await order(server, token));
  const plan = await planOf(token);
  expect(plan.subscribed).toBe(true);
  server.clock.turn(60_000);
  await server.stripeSimulator.hold(false);
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

test('[P6.1] fifty looks at once cost two calls at most, and looks of those who wait for nothing cost none', async () => {
  const { token } = await newcomer(server);
  await server.stripeSimulator.hold(true);
  await pay(server, await order(server, token));
  const all = (who: string) => () => Promise.all(Array.from({ length: 50 }, () => planOf(who)));
  const calls = await callsDuring(all(token));
  expect(calls).toBeGreaterThanOrEqual(1);
  expect(calls).toBeLessThanOrEqual(2);
  expect((await planOf(token)).subscribed).toBe(true);
  await server.stripeSimulator.hold(false);
  await server.stripeSimulator.deliver();
  server.clock.turn(5000);
  expect(await callsDuring(all(token))).toBe(0);
  const someone = await newcomer(server);
  expect(await callsDuring(all(someone.token))).toBe(0);
});

test('nobody is waited for a day after the page was opened', async () => {
  const { token } = await newcomer(server);
  await order(server, token);
  await server.stripeSimulator.hold(true);
  server.clock.turn(25 * 3_600_000 - 1);
  // What the night asks is not counted.
  await server.app.worker.idle();
  expect(await callsDuring(() => planOf(token))).toBe(1);
  server.clock.turn(1001);
  await server.app.worker.idle();
  expect(await callsDuring(() => planOf(token))).toBe(0);
  await server.stripeSimulator.hold(false);
});

test('[P6.1] two that were paid for become one: the newer one is cancelled', async () => {
  const { token, email } = await person(server);
  const { customer, uuid } = await accountOf(email);
  const [first] = await subsOf(email);
  // In another window, past our refusal; without a trial, so that it was charged.
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
  const now = await subsOf(email);
  expect(now).toHaveLength(2);
  expect(now.filter(({ status }) => status !== 'canceled').map(({ id }) => id)).toEqual([first?.id]);
  expect(await planOf(token)).toMatchObject({ subscribed: true });
  const subjects = (await server.mailsTo(email)).map(({ subject }) => subject);
  expect(subjects).not.toContain('Your plan has ended');
});

test('[P6.1] an answer that was asked for earlier and comes later replaces nothing', async () => {
  const { token, email } = await person(server);
  const [sub] = await subsOf(email);
  const real = stripe().subscriptions.list.bind(stripe().subscriptions);
  let let_go = () => {};
  const held = new Promise<void>((resolve) => {
    let_go = resolve;
  });
  let on_its_way = () => {};
  const answered = new Promise<void>((resolve) => {
    on_its_way = resolve;
  });
  // The first answer is on its way for a long time.
  const slow = (async (params: Stripe.SubscriptionListParams) => {
    const answer = await real(params).autoPagingToArray({ limit: 100 });
    on_its_way();
    await held;
    return answer;
  }) satisfies unknown;
  stripe().subscriptions.list = ((params: Stripe.SubscriptionListParams) => ({
    autoPagingToArray: () => slow(params),
  })) as unknown as typeof real;
  await server.stripeSimulator.hold(true);
  await stripe().subscriptions.update(sub?.id ?? '', { trial_end: 'now' });
  const [event] = (await stripe().events.list({ type: 'customer.subscription.updated', limit: 1 })).data;
  const send = (id: string) => {
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
  const late = send('evt_first');
  await answered;
  stripe().subscriptions.list = real;
  await stripe().subscriptions.cancel(sub?.id ?? '');
  expect((await send('evt_second')).statusCode).toBe(200);
  expect(await planOf(token)).toMatchObject({ status: 'ended' });
  let_go();
  expect((await late).statusCode).toBe(200);
  expect(await planOf(token)).toMatchObject({ status: 'ended' });
  await server.stripeSimulator.hold(false);
});

test('[3.11] metadata that cannot be read gives one device, is logged, and breaks nothing', async () => {
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
    const all = body.products as unknown as { name: string; prices: { id: string; metadata: { metadata: string } }[] }[];
    const listed = all.flatMap(({ prices }) => prices).find(({ id }) => id === price.id);
    expect(JSON.parse(listed?.metadata.metadata ?? '')).toEqual({ device_limit: 1 });
    await pay(server, await order(server, token, price.id));
    expect(await planOf(token)).toMatchObject({ subscribed: true, device_limit: 1, plan: 'Own plan', amount: 500, interval: 'month' });
  }
  expect(server.logged()).toContain('the metadata of a price does not say its device limit');
});

test('[P6.1] the plan follows what is changed in the portal: another price, the end, going on after all', async () => {
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
  const other = await testServer();
  try {
    other.clock.turn(new Date('2027-01-17T10:00:00Z').getTime() - other.clock.now().getTime());
    const { token } = await newcomer(other);
    await pay(other, await order(other, token, individual));
    await other.stripeSimulator.deliver();
    expect((await other.call('GET /web/profile/sub', { token })).body.expires).toBe('2027-01-31T10:00:00.000Z');
    other.clock.turn(14 * 86_400_000 + 1000);
    await other.stripeSimulator.deliver();
    const { body } = await other.call('GET /web/profile/sub', { token });
    expect(body).toMatchObject({ status: 'active', expires: '2027-02-28T10:00:00.000Z' });
  } finally {
    await other.close();
  }
});
