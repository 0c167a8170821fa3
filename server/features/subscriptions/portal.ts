import type Stripe from 'stripe';
import { fail } from '../../lib/errors.ts';
import { type CallStripe, isRejection } from './ask.ts';
import type { SubscriptionStore } from './store.ts';

/** Returns the address of Stripe's customer portal (7.18). */
export function portal({
  stripe,
  ask: callStripe,
  store,
  dashboard_url,
}: {
  stripe: Stripe;
  ask: CallStripe;
  store: SubscriptionStore;
  dashboard_url: string;
}) {
  return async (account: string): Promise<string> => {
    const plan = await store.of(account);
    if (plan.external) fail('external_plan');
    const customer = plan.status === null ? null : await store.customerOf(account);
    if (!customer) fail('no_subscription');
    const { url } = await callStripe(() =>
      stripe.billingPortal.sessions.create({ customer, return_url: `${dashboard_url}/` }).catch((err: unknown) => {
        if (isRejection(err, 'customer')) fail('no_subscription');
        throw err;
      }),
    );
    return url;
  };
}
