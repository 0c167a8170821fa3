import type Stripe from 'stripe';
import { type CallStripe, isRejection } from './ask.ts';
import { isOpen } from './rules.ts';
import type { SubscriptionStore } from './store.ts';

export interface CancelDeps {
  stripe: Stripe;
  ask: CallStripe;
  store: Pick<SubscriptionStore, 'customerOf' | 'subs'>;
}

/** Stripe says nothing about a plan that runs here, so nobody can be sure that it ends (P14.2). */
export class PlanUnknown extends Error {}

const planUnknownWords = 'Stripe does not know a plan that runs here; see "payments status" for what to do.';

/**
 * Ends all plans of an account at Stripe at once, for an account that ends. Its payment pages close first, so that nobody pays for it
 * afterwards. Returns how many plans ended; none when it is repeated. Throws `PlanUnknown` and what `ask` throws.
 */
export function planCancelling({ stripe, ask: callStripe, store }: CancelDeps) {
  const closePages = async (customer: string) => {
    const list = () => stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 });
    const pages = await callStripe(() =>
      list().catch((err: unknown) => (isRejection(err, 'customer') ? { data: [] } : Promise.reject(err))),
    );
    // A page that was paid meanwhile does not expire; its plan is among those below.
    for (const { id } of pages.data) await callStripe(() => stripe.checkout.sessions.expire(id).catch(ignoreRejection));
  };
  const plansOf = async (customer: string) => {
    const list = () => stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: 1000 });
    return callStripe(() => list().catch((err: unknown) => (isRejection(err, 'customer') ? [] : Promise.reject(err))));
  };

  /** Returns whether it ended now, and not already by another deletion or by the holder. */
  const cancel = async (id: string): Promise<boolean> => {
    const rejected = await callStripe(() => stripe.subscriptions.cancel(id).then(() => null, rejection));
    if (rejected === null) return true;
    if (!isOpen(await callStripe(() => stripe.subscriptions.retrieve(id)))) return false;
    return callStripe(() => Promise.reject(rejected));
  };

  return async (account: string): Promise<number> => {
    const customer = await store.customerOf(account);
    if (customer === null) return 0;
    await closePages(customer);
    const plans = await plansOf(customer);
    const known = new Set(plans.map(({ id }) => id));
    if ((await store.subs(account)).some((sub) => isOpen(sub) && !known.has(sub.id))) {
      throw new PlanUnknown(planUnknownWords);
    }
    let ended = 0;
    for (const { id } of plans.filter(isOpen)) if (await cancel(id)) ended++;
    return ended;
  };
}

function ignoreRejection(err: unknown): void {
  rejection(err);
}

/** Throws other failures, after which nobody knows what Stripe did. */
function rejection(err: unknown): Error {
  if (err instanceof Error && isRejection(err)) return err;
  throw err;
}
