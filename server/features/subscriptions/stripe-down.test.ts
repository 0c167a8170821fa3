import { afterEach, beforeEach, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { order, pay } from '../../testing/pay.ts';
import { detection, fakeAddress, goodPassword, linkedDevice, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.close());

const { planOf } = buyers(() => server);

test('while Stripe is down ordering, products, portal and promos fail with a clear error', async () => {
  const [newBuyer, ann] = [await newcomer(server), await person(server)];
  server.stripeSimulator.down(true);
  const body = { price: 'price_family_yearly' };
  const paymentsDown = { status: 503, body: { code: 'payments_down' } };
  expect(await server.call('POST /web/profile/sub/order', { token: newBuyer.token, body })).toMatchObject(paymentsDown);
  server.clock.turn(60_001);
  expect(await server.call('GET /web/profile/sub/products', { token: newBuyer.token })).toMatchObject(paymentsDown);
  expect(await server.call('POST /web/profile/sub/portal', { token: ann.token })).toMatchObject(paymentsDown);
  expect(await server.call('GET /promo-code?code=SPRING')).toMatchObject(paymentsDown);
  expect(server.logged()).not.toContain(newBuyer.email);
});

test('while Stripe is down login, plan, devices, agents, alerts and registration with a promo still work', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  server.stripeSimulator.down(true);
  const headers = { 'x-forwarded-for': fakeAddress() };
  expect((await server.call('POST /login/web', { body: { email, password: goodPassword }, headers })).status).toBe(200);
  expect(await planOf(token)).toMatchObject({ subscribed: true, device_limit: 5 });
  expect((await server.call('GET /web/devices', { token })).status).toBe(200);
  expect((await server.call('POST /web/create-device', { token, body: { name: 'B', policy: null } })).status).toBe(200);
  expect((await server.call('GET /agent/policy', { token: agent })).status).toBe(200);
  expect((await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } })).status).toBe(200);
  const login = { email: 'new@example.org', password: goodPassword };
  expect((await server.call('POST /register', { body: { name: 'New', ...login, promo: 'Spring' }, headers })).status).toBe(200);
  // The promo is stored unchecked, until it is used.
  const { body } = await server.call('POST /login/web', { body: login, headers });
  expect((await planOf(String(body.web_token))).register_promo_code).toEqual({ code: 'Spring' });
});

test('[P6.1] an event received while Stripe is down fails so that Stripe repeats it, and the plan shows stored data', async () => {
  const { token } = await newcomer(server);
  await server.stripeSimulator.pauseDelivery(true);
  await pay(server, await order(server, token));
  const { stripe, webhook_secret } = server.payments;
  const [event] = (await stripe.events.list({ type: 'customer.subscription.created', limit: 1 })).data;
  server.stripeSimulator.down(true);
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(server.clock.now().getTime() / 1000);
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: webhook_secret, timestamp });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const answer = await server.app.http.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload });
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'payments_down']);
  expect(
    await server.db
      .selectFrom('payment_events')
      .select('id')
      .where('id', '=', event?.id ?? '')
      .execute(),
  ).toEqual([]);
  expect(await planOf(token)).toMatchObject({ subscribed: false, status: null });
});
