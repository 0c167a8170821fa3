import { expect, test } from 'vitest';
import { order, pay } from '../../testing/pay.ts';
import { newcomer, type TestServer, testServer } from '../../testing/world.ts';

async function withServer(env: Record<string, string>, work: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await testServer(env);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}
const namesFor = async (server: TestServer, token: string) => {
  const { body } = await server.call('GET /web/profile/sub/products', { token });
  return (body.products as unknown as { name: string }[]).map(({ name }) => name).sort();
};
const simulatorSettings = { SMTP_URL: 'mailbox:', TWILIO_API_BASE: 'mailbox:', STRIPE_API_BASE: 'till:' };

test.each<Record<string, string>>([{ NODE_ENV: 'production', ...simulatorSettings }, { NODE_ENV: 'test' }, {}])(
  '[7.20] the development plan is neither listed nor sold outside development: %j',
  (env) =>
    withServer(env, async (server) => {
      const { token } = await newcomer(server);
      expect(await namesFor(server, token)).toEqual(['Friends & Family', 'Individual']);
      const reply = await server.call('POST /web/profile/sub/order', { token, body: { price: 'price_dev_monthly' } });
      expect(reply).toMatchObject({ status: 404, body: { code: 'price_unknown' } });
    }),
);

test('[7.20] [2.132] the development plan is listed and sold with NODE_ENV=development', () =>
  withServer({ NODE_ENV: 'development' }, async (server) => {
    const { token } = await newcomer(server);
    expect(await namesFor(server, token)).toEqual(['Dev Subscription', 'Friends & Family', 'Individual']);
    expect((await server.call('POST /web/profile/sub/order', { token, body: { price: 'price_dev_monthly' } })).status).toBe(200);
  }));

test('[7.20] the operator’s plan names take precedence in the list and on the plan', () =>
  withServer({ STRIPE_PLANS: 'price_family_monthly=Whole House,price_family_yearly=Whole House' }, async (server) => {
    const { token } = await newcomer(server);
    expect(await namesFor(server, token)).toEqual(['Individual', 'Whole House']);
    await pay(server, await order(server, token));
    expect((await server.call('GET /web/profile/sub', { token })).body).toMatchObject({ plan: 'Whole House' });
  }));

test('a customer who was removed at Stripe has neither plan nor portal, and can buy again', () =>
  withServer({}, async (server) => {
    const { token } = await newcomer(server);
    await pay(server, await order(server, token));
    const { id } = await server.db.selectFrom('customers').select('id').executeTakeFirstOrThrow();
    await server.payments.stripe.customers.del(id);
    await server.stripeSimulator.deliver();
    expect(await server.call('POST /web/profile/sub/portal', { token })).toMatchObject({ status: 409, body: { code: 'no_subscription' } });
    await pay(server, await order(server, token));
    expect((await server.call('GET /web/profile/sub', { token })).body).toMatchObject({ subscribed: true });
    expect((await server.db.selectFrom('customers').select('id').executeTakeFirstOrThrow()).id).not.toBe(id);
  }));
