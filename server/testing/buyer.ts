import type { TestServer } from './world.ts';

export function buyers(server: () => TestServer) {
  const accountOf = (email: string) =>
    server()
      .db.selectFrom('customers')
      .innerJoin('accounts', 'accounts.uuid', 'customers.account')
      .select(['customers.id as customer', 'accounts.uuid'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
  const customerOf = async (email: string) => (await accountOf(email)).customer;
  return {
    accountOf,
    customerOf,
    planOf: async (token: string) => (await server().call('GET /web/profile/sub', { token })).body,
    /** Cancels the newest plan at once, as Stripe does when a card is refused permanently. */
    async endPlan(email: string) {
      const { stripe } = server().payments;
      const [sub] = (await stripe.subscriptions.list({ customer: await customerOf(email), status: 'all' })).data;
      await stripe.subscriptions.cancel(sub?.id ?? '');
      await server().stripeSimulator.deliver();
    },
    subsOf: async (email: string) =>
      (await server().payments.stripe.subscriptions.list({ customer: await customerOf(email), status: 'all', limit: 100 })).data,
  };
}
