import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { type CallStripe, isRejection } from './ask.ts';
import { type StripeSubscription, usedTrial } from './rules.ts';
import type { SubscriptionStore } from './store.ts';

export interface CustomerDeps {
  stripe: Stripe;
  ask: CallStripe;
  store: SubscriptionStore;
  personOf(account: string): Promise<{ name: string; email: string }>;
}

export type Customers = ReturnType<typeof customers>;

/** One Stripe customer per account. */
export function customers({ stripe, ask: callStripe, store, personOf }: CustomerDeps) {
  /** The idempotency key makes Stripe return the same customer to simultaneous and repeated calls. */
  const create = async (account: string, replacedCustomer = ''): Promise<string> => {
    const { name, email } = await personOf(account);
    const params = { name, email: email.toLowerCase(), metadata: { account } };
    const hash = createHash('sha256').update(JSON.stringify(params)).update(replacedCustomer).digest('hex');
    return (await callStripe(() => stripe.customers.create(params, { idempotencyKey: `customer:${account}:${hash}` }))).id;
  };

  return {
    async of(account: string): Promise<string> {
      const knownCustomer = await store.customerOf(account);
      if (knownCustomer) return knownCustomer;
      const id = await create(account);
      return (await store.setCustomer(account, id)) ?? id;
    },

    /** Replaces a customer that was removed at Stripe, so that the holder can still buy. */
    async replaceCustomer(account: string, removedCustomer: string): Promise<string> {
      const id = await create(account, removedCustomer);
      return (await store.replaceCustomer(account, removedCustomer, id)) ?? id;
    },

    /** One free trial per person (9.1): no customer with this email address has had a subscription. */
    async mayHaveTrial(account: string, customer: string, subs: readonly StripeSubscription[]): Promise<boolean> {
      if (subs.some(usedTrial)) return false;
      const { email } = await personOf(account);
      const { data } = await callStripe(() => stripe.customers.list({ email: email.toLowerCase(), limit: 100 }));
      for (const { id } of data.filter((other) => other.id !== customer)) {
        const otherSubscriptions = await callStripe(() =>
          stripe.subscriptions.list({ customer: id, status: 'all', limit: 100 }).catch((err: unknown) => {
            if (isRejection(err, 'customer')) return { data: [] };
            throw err;
          }),
        );
        if (otherSubscriptions.data.some(usedTrial)) return false;
      }
      return true;
    },
  };
}
