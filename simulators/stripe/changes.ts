import type { Price, Subscription } from './api-types.ts';
import { nextPeriodEnd } from './calendar.ts';
import { bill } from './invoice.ts';
import { invalidParameter } from './refused.ts';
import type { Shop } from './shop.ts';
import { alter, endSubscription, intervalOf, isOpen, itemOf, planOf } from './subscription.ts';

/**
 * Changes the price at once. In a trial nothing is paid. Otherwise unused time is refunded and the rest of the new price charged; a new
 * interval starts a new period. A remainder becomes credit. (By default, Stripe would put it on the next invoice.)
 */
export function changePrice(shop: Shop, subscription: Subscription, price: Price, prorate = true): void {
  const item = itemOf(subscription);
  const oldPrice = item.price;
  if (oldPrice.id === price.id) return;
  if (!price.active) throw invalidParameter('items[0][price]', `The price '${price.id}' is not sold any more.`);
  alter(shop, subscription, () => {
    const unusedShare = shareLeft(shop, subscription);
    Object.assign(item, { price: structuredClone(price), plan: planOf(price) });
    if (subscription.status !== 'active') return;
    const refund = Math.round(oldPrice.unit_amount * item.quantity * unusedShare);
    let cost = Math.round(price.unit_amount * item.quantity * unusedShare);
    if (intervalOf(oldPrice) !== intervalOf(price)) {
      subscription.billing_cycle_anchor = shop.now;
      item.current_period_start = shop.now;
      item.current_period_end = nextPeriodEnd(shop.now, shop.now, intervalOf(price));
      cost = price.unit_amount * item.quantity;
    }
    if (prorate) settle(shop, subscription, cost - refund);
  });
}

function settle(shop: Shop, subscription: Subscription, amount: number): void {
  if (amount > 0) {
    const invoice = bill(shop, subscription, amount, 'subscription_update');
    if (invoice.status !== 'paid') subscription.status = 'past_due';
  } else credit(shop, subscription, -amount);
}

function credit({ state }: Shop, { customer: id }: Subscription, amount: number): void {
  const customer = state.customers[id];
  if (customer) customer.balance -= amount;
}

/** Unused part of the paid period, from 0 to 1. */
function shareLeft({ now }: Shop, subscription: Subscription): number {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  return Math.min(1, Math.max(0, (end - now) / (end - start)));
}

export function setEnding(shop: Shop, subscription: Subscription, ending: boolean): void {
  if (subscription.cancel_at_period_end === ending) return;
  alter(shop, subscription, () => {
    Object.assign(subscription, {
      cancel_at_period_end: ending,
      cancel_at: ending ? itemOf(subscription).current_period_end : null,
      canceled_at: ending ? shop.now : null,
      cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: ending ? 'cancellation_requested' : null },
    });
  });
}

/** Ends a subscription at once. `prorate`: the rest of the period becomes credit. */
export function cancel(shop: Shop, subscription: Subscription, prorate: boolean): void {
  if (!isOpen(subscription)) throw invalidParameter('id', 'This subscription is over already.', 'resource_missing');
  if (prorate && subscription.status === 'active') {
    credit(
      shop,
      subscription,
      Math.round(itemOf(subscription).price.unit_amount * itemOf(subscription).quantity * shareLeft(shop, subscription)),
    );
  }
  endSubscription(shop, subscription, 'cancellation_requested');
}
