import type Stripe from 'stripe';
import { deviceLimitIn, devicesAtLeast } from './price-facts.ts';
import type { Sub } from './rules.ts';

const moment = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
const idOf = (thing: string | { id: string } | null) => (typeof thing === 'object' ? (thing?.id ?? null) : thing);

/** What we keep of a subscription; null for one without a recurring price, which is none of ours. `plan`: what its price is called. */
export function subFrom(remote: Stripe.Subscription, plan: string): Sub | null {
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
    device_limit: deviceLimitIn(item.price.metadata.metadata) ?? devicesAtLeast,
    created: new Date(remote.created * 1000),
    trial_end: moment(remote.trial_end),
    period_end,
    // Cancelled in the portal it has a moment of its own or the end of the period, by the version of the portal.
    ends: moment(remote.cancel_at) ?? (remote.cancel_at_period_end ? period_end : null),
    ended_at: moment(remote.ended_at),
    invoice: idOf(remote.latest_invoice),
  };
}

/** Whose event this is: the id of a customer, if it is about one. */
export function customerIn(event: Stripe.Event): string | null {
  const object = event.data.object as { object?: string; id?: string; customer?: string | { id: string } | null };
  return object.object === 'customer' ? (object.id ?? null) : idOf(object.customer ?? null);
}
