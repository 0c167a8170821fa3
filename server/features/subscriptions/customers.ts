import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { type Ask, refused } from './ask.ts';
import { type Sub, usedTrial } from './rules.ts';
import type { SubscriptionStore } from './store.ts';

export interface CustomerDeps {
  stripe: Stripe;
  ask: Ask;
  store: SubscriptionStore;
  personOf(account: string): Promise<{ name: string; email: string }>;
}

export type Customers = ReturnType<typeof customers>;

/** Who an account is at Stripe: one customer each. */
export function customers({ stripe, ask, store, personOf }: CustomerDeps) {
  /** Two at once, or one that was cut off and comes again, get the same customer. */
  const create = async (account: string, instead_of = ''): Promise<string> => {
    const { name, email } = await personOf(account);
    const params = { name, email: email.toLowerCase(), metadata: { account } };
    const hash = createHash('sha256').update(JSON.stringify(params)).update(instead_of).digest('hex');
    return (await ask(() => stripe.customers.create(params, { idempotencyKey: `customer:${account}:${hash}` }))).id;
  };

  return {
    async of(account: string): Promise<string> {
      const known = await store.customerOf(account);
      if (known) return known;
      const id = await create(account);
      return (await store.setCustomer(account, id)) ?? id;
    },

    /** For one that was removed at Stripe: whoever wants to buy is not to be stopped by it. */
    async another(account: string, gone: string): Promise<string> {
      const id = await create(account, gone);
      return (await store.replaceCustomer(account, gone, id)) ?? id;
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
