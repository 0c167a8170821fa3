import type Stripe from 'stripe';
import { defaultDeviceLimit, deviceLimitIn } from './price-facts.ts';
import type { StripeSubscription } from './rules.ts';

const moment = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
const idOf = (reference: string | { id: string } | null) => (typeof reference === 'object' ? (reference?.id ?? null) : reference);

/** A stored subscription from Stripe's data; null without a recurring price. `plan`: the name of the price. */
export function subFrom(remote: Stripe.Subscription, plan: string): StripeSubscription | null {
  const item = remote.items.data[0];
  if (!item) return null;
  const period_end = moment(item.current_period_end) ?? new Date(remote.created * 1000);
  return {
    id: remote.id,
    status: remote.status,
    price: item.price.id,
    plan,
    amount: item.price.unit_amount ?? 0,
    interval: item.price.recurring?.interval === 'year' ? 'year' : 'month',
    device_limit: deviceLimitIn(item.price.metadata.metadata) ?? defaultDeviceLimit,
    created: new Date(remote.created * 1000),
    trial_end: moment(remote.trial_end),
    period_end,
    // Versions of Stripe's portal set different fields when a plan is cancelled.
    ends: moment(remote.cancel_at) ?? (remote.cancel_at_period_end ? period_end : null),
    ended_at: moment(remote.ended_at),
    invoice: idOf(remote.latest_invoice),
  };
}

/** The customer an event is about. */
export function customerIn(event: Stripe.Event): string | null {
  const object = event.data.object as { object?: string; id?: string; customer?: string | { id: string } | null };
  return object.object === 'customer' ? (object.id ?? null) : idOf(object.customer ?? null);
}
