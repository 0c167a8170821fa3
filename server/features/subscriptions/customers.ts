import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { type Ask, refused } from './ask.ts';
import { type Sub, usedTrial } from './rules.ts';
import type { SubscriptionStore } from './store.ts';

export interface CustomerParts {
  stripe: Stripe;
  ask: Ask;
  store: SubscriptionStore;
  personOf(account: string): Promise<{ name: string; email: string }>;
}

export type Customers = ReturnType<typeof customers>;

/** Who an account is at Stripe: one customer each. */
export function customers({ stripe, ask, store, personOf }: CustomerParts) {
  return {
    async of(account: string): Promise<string> {
      const known = await store.customerOf(account);
      if (known) return known;
      const { name, email } = await personOf(account);
      const params = { name, email: email.toLowerCase(), metadata: { account } };
      const hash = createHash('sha256').update(JSON.stringify(params)).digest('hex');
      const { id } = await ask(() => stripe.customers.create(params, { idempotencyKey: `customer:${account}:${hash}` }));
      return (await store.setCustomer(account, id)) ?? id;
    },

    /** One free trial for a person (9.1): neither this customer nor another one with the same address ever had a subscription. */
    async mayTry(account: string, customer: string, subs: readonly Sub[]): Promise<boolean> {
      if (subs.some(usedTrial)) return false;
      const { email } = await personOf(account);
      const { data } = await ask(() => stripe.customers.list({ email: email.toLowerCase(), limit: 100 }));
      for (const { id } of data.filter((other) => other.id !== customer)) {
        const theirs = await ask(() =>
          stripe.subscriptions.list({ customer: id, status: 'all', limit: 100 }).catch((err: unknown) => {
            if (refused(err, 'customer')) return { data: [] };
            throw err;
          }),
        );
        if (theirs.data.some(usedTrial)) return false;
      }
      return true;
    },
  };
}
