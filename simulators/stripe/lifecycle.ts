import { day, nextTurn } from './calendar.ts';
import { bill, charge } from './invoice.ts';
import { type Shop, tell } from './shop.ts';
import { alter, endSubscription, intervalOf, isOpen, itemOf } from './subscription.ts';
import type { Invoice, Subscription } from './wire.ts';

/** How long before its end a trial is announced, in days. Stripe's own. */
const announced = 3;

/**
 * Lets everything happen that is due until `until`, each at its own moment and in the order of time: trials that are announced and end,
 * renewals, payments that are tried again, ends, and sessions that expire. Money is taken at once, where Stripe waits about an hour.
 */
export function advance(shop: Shop, until: number): void {
  shop.call = null;
  for (let due = nextDue(shop); due && due.at <= until; due = nextDue(shop)) {
    shop.now = due.at;
    due.run();
  }
  shop.now = until;
}

/** Whether something is due by `until`; changes nothing. */
export const isDue = (shop: Shop, until: number): boolean => (nextDue(shop)?.at ?? Infinity) <= until;

interface Due {
  at: number;
  run(): void;
}

function nextDue(shop: Shop): Due | null {
  let first: Due | null = null;
  const consider = (due: Due | null) => {
    if (due && (!first || due.at < first.at)) first = due;
  };
  for (const subscription of Object.values(shop.state.subscriptions)) if (isOpen(subscription)) consider(dueOf(shop, subscription));
  for (const session of Object.values(shop.state.sessions)) {
    if (session.status === 'open') consider({ at: session.expires_at, run: () => expireSession(shop, session.id) });
  }
  return first;
}

function dueOf(shop: Shop, subscription: Subscription): Due {
  const { status, trial_end, id } = subscription;
  const period = { at: itemOf(subscription).current_period_end, run: () => turn(shop, subscription) };
  if (status === 'trialing' && trial_end !== null) {
    const told = shop.state.trial_told[id] === trial_end;
    const at = Math.max(trial_end - announced * day, subscription.created);
    return told ? period : { at, run: () => announceTrialEnd(shop, subscription) };
  }
  if (status === 'past_due') {
    const invoice = shop.state.invoices[subscription.latest_invoice ?? ''];
    const at = invoice?.next_payment_attempt;
    if (invoice && at && at <= period.at) return { at, run: () => tryAgain(shop, subscription, invoice) };
  }
  return period;
}

function announceTrialEnd(shop: Shop, subscription: Subscription): void {
  if (subscription.trial_end === null || shop.state.trial_told[subscription.id] === subscription.trial_end) return;
  shop.state.trial_told[subscription.id] = subscription.trial_end;
  tell(shop, 'customer.subscription.trial_will_end', subscription);
}

/** The trial ends now, and the first payment is due. */
export function endTrial(shop: Shop, subscription: Subscription): void {
  if (subscription.status !== 'trialing') return;
  alter(shop, subscription, () => {
    subscription.trial_end = shop.now;
    subscription.billing_cycle_anchor = shop.now;
  });
  announceTrialEnd(shop, subscription);
  turn(shop, subscription);
}

/** One period is over: the next one begins and is paid, or the subscription ends. */
export function turn(shop: Shop, subscription: Subscription): void {
  if (subscription.cancel_at_period_end) return endSubscription(shop, subscription, 'cancellation_requested');
  if (subscription.status === 'past_due') return endSubscription(shop, subscription, 'payment_failed');
  const item = itemOf(subscription);
  alter(shop, subscription, () => {
    item.current_period_start = shop.now;
    item.current_period_end = nextTurn(subscription.billing_cycle_anchor, shop.now, intervalOf(item.price));
    const invoice = bill(shop, subscription, item.price.unit_amount * item.quantity, 'subscription_cycle');
    subscription.status = invoice.status === 'paid' ? 'active' : 'past_due';
  });
}

/** A payment that failed is tried again; after the last try the subscription ends. */
export function tryAgain(shop: Shop, subscription: Subscription, invoice: Invoice): void {
  if (charge(shop, invoice)) alter(shop, subscription, () => Object.assign(subscription, { status: 'active' }));
  else if (invoice.next_payment_attempt === null) endSubscription(shop, subscription, 'payment_failed');
}

export function expireSession(shop: Shop, id: string): void {
  const session = shop.state.sessions[id];
  if (session?.status !== 'open') return;
  Object.assign(session, { status: 'expired', url: null });
  tell(shop, 'checkout.session.expired', session);
}
