import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('someone orders a trial at the test checkout, and pays when it ends', async () => {
  const { stripe } = server.payments;
  const prices = await stripe.prices.list({ active: true, expand: ['data.product'] });
  expect(prices.data).toHaveLength(6);
  const customer = await stripe.customers.create({ email: 'ann@example.org', metadata: { account: 'x' } }, { idempotencyKey: 'a1' });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: 'price_family_yearly', quantity: 1 }],
    subscription_data: { trial_period_days: 14 },
    success_url: 'http://localhost:4380/dashboard/stripe/success',
    cancel_url: 'http://localhost:4380/dashboard/stripe/cancel',
  });
  const path = new URL(session.url ?? '').pathname;
  const page = await server.app.http.inject({ url: path, headers: { host: 'localhost:4380' } });
  expect(page.body).toContain('This is a test checkout. Nothing is charged.');
  const paid = await server.app.http.inject({ method: 'POST', url: `${path}/pay`, headers: { host: 'localhost:4380' } });
  expect(paid.statusCode).toBe(303);
  const subs = await stripe.subscriptions.list({ customer: customer.id, status: 'all' });
  expect(subs.data[0]).toMatchObject({ status: 'trialing' });
  const day = 86_400_000;
  server.clock.turn(14 * day);
  await server.till.deliver();
  const [sub] = (await stripe.subscriptions.list({ customer: customer.id, status: 'all', expand: ['data.latest_invoice'] })).data;
  expect(sub).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', amount_paid: 15_999 } });
});
