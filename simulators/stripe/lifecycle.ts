import type { Invoice, Subscription } from './api-types.ts';
import { day, nextPeriodEnd } from './calendar.ts';
import { bill, charge } from './invoice.ts';
import { recordEvent, type Shop } from './shop.ts';
import { alter, endSubscription, intervalOf, isOpen, itemOf } from './subscription.ts';

/** Days between announcing a trial's end and the end, as in Stripe. */
const announcedDays = 3;

/**
 * Runs everything due until `until`, in order and each event at its own time: trial announcements and ends, renewals, payment retries,
 * subscription ends, session expiry. Charges at once, where Stripe waits about an hour.
 */
export function advance(shop: Shop, until: number): void {
  shop.call = null;
  for (let due = nextDue(shop); due && due.at <= until; due = nextDue(shop)) {
    shop.now = due.at;
    due.run();
  }
  shop.now = until;
}

export const isDue = (shop: Shop, until: number): boolean => (nextDue(shop)?.at ?? Infinity) <= until;

interface Due {
  at: number;
  run(): void;
}

function nextDue(shop: Shop): Due | null {
  let firstDue: Due | null = null;
  const consider = (due: Due | null) => {
    if (due && (!firstDue || due.at < firstDue.at)) firstDue = due;
  };
  for (const subscription of Object.values(shop.state.subscriptions)) if (isOpen(subscription)) consider(dueOf(shop, subscription));
  for (const session of Object.values(shop.state.sessions)) {
    if (session.status === 'open') consider({ at: session.expires_at, run: () => expireSession(shop, session.id) });
  }
  return firstDue;
}

function dueOf(shop: Shop, subscription: Subscription): Due {
  const { status, trial_end, id } = subscription;
  const period = { at: itemOf(subscription).current_period_end, run: () => endPeriod(shop, subscription) };
  if (status === 'trialing' && trial_end !== null) {
    const wasAnnounced = shop.state.trial_announced[id] === trial_end;
    const announceAt = Math.max(trial_end - announcedDays * day, subscription.created);
    return wasAnnounced ? period : { at: announceAt, run: () => announceTrialEnd(shop, subscription) };
  }
  if (status === 'past_due') {
    const invoice = shop.state.invoices[subscription.latest_invoice ?? ''];
    const retryAt = invoice?.next_payment_attempt;
    if (invoice && retryAt && retryAt <= period.at) return { at: retryAt, run: () => retryPayment(shop, subscription, invoice) };
  }
  return period;
}

function announceTrialEnd(shop: Shop, subscription: Subscription): void {
  if (subscription.trial_end === null || shop.state.trial_announced[subscription.id] === subscription.trial_end) return;
  shop.state.trial_announced[subscription.id] = subscription.trial_end;
  recordEvent(shop, 'customer.subscription.trial_will_end', subscription);
}

export function endTrial(shop: Shop, subscription: Subscription): void {
  if (subscription.status !== 'trialing') return;
  alter(shop, subscription, () => {
    subscription.trial_end = shop.now;
    subscription.billing_cycle_anchor = shop.now;
  });
  announceTrialEnd(shop, subscription);
  endPeriod(shop, subscription);
}

/** Ends a period: the next period starts and is paid, or the subscription ends. */
export function endPeriod(shop: Shop, subscription: Subscription): void {
  if (subscription.cancel_at_period_end) return endSubscription(shop, subscription, 'cancellation_requested');
  if (subscription.status === 'past_due') return endSubscription(shop, subscription, 'payment_failed');
  const item = itemOf(subscription);
  alter(shop, subscription, () => {
    item.current_period_start = shop.now;
    item.current_period_end = nextPeriodEnd(subscription.billing_cycle_anchor, shop.now, intervalOf(item.price));
    const invoice = bill(shop, subscription, item.price.unit_amount * item.quantity, 'subscription_cycle');
    subscription.status = invoice.status === 'paid' ? 'active' : 'past_due';
  });
}

export function retryPayment(shop: Shop, subscription: Subscription, invoice: Invoice): void {
  if (charge(shop, invoice)) alter(shop, subscription, () => Object.assign(subscription, { status: 'active' }));
  else if (invoice.next_payment_attempt === null) endSubscription(shop, subscription, 'payment_failed');
}

export function expireSession(shop: Shop, id: string): void {
  const session = shop.state.sessions[id];
  if (session?.status !== 'open') return;
  Object.assign(session, { status: 'expired', url: null });
  recordEvent(shop, 'checkout.session.expired', session);
}
