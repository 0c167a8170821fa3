import type Stripe from 'stripe';
import { fail } from '../../lib/errors.ts';
import { type Ask, refused } from './ask.ts';
import type { SubscriptionStore } from './store.ts';

/** Where a plan is changed, paid and ended (7.18): answers the address. */
export function portal({
  stripe,
  ask,
  store,
  dashboard_url,
}: {
  stripe: Stripe;
  ask: Ask;
  store: SubscriptionStore;
  dashboard_url: string;
}) {
  return async (account: string): Promise<string> => {
    const plan = await store.of(account);
    if (plan.external) fail('external_plan');
    const customer = plan.status === null ? null : await store.customerOf(account);
    if (!customer) fail('no_subscription');
    const { url } = await ask(() =>
      stripe.billingPortal.sessions.create({ customer, return_url: `${dashboard_url}/` }).catch((err: unknown) => {
        if (refused(err, 'customer')) fail('no_subscription');
        throw err;
      }),
    );
    return url;
  };
}
