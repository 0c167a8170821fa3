import { nextTurn } from './calendar.ts';
import { bill } from './invoice.ts';
import { wrong } from './refused.ts';
import type { Shop } from './shop.ts';
import { alter, endSubscription, intervalOf, isOpen, itemOf, planOf } from './subscription.ts';
import type { Price, Subscription } from './wire.ts';

/**
 * Another price from now on. In a trial nothing is paid. Else the rest of what was paid is given back and the rest of the new price taken,
 * at once; a new interval begins a new period. What is left over becomes credit. (Stripe would put it on the next invoice unless told otherwise.)
 */
export function changePrice(shop: Shop, subscription: Subscription, price: Price, prorate = true): void {
  const item = itemOf(subscription);
  const was = item.price;
  if (was.id === price.id) return;
  if (!price.active) throw wrong('items[0][price]', `The price '${price.id}' is not sold any more.`);
  alter(shop, subscription, () => {
    const left = shareLeft(shop, subscription);
    Object.assign(item, { price: structuredClone(price), plan: planOf(price) });
    if (subscription.status !== 'active') return;
    const back = Math.round(was.unit_amount * item.quantity * left);
    let cost = Math.round(price.unit_amount * item.quantity * left);
    if (intervalOf(was) !== intervalOf(price)) {
      subscription.billing_cycle_anchor = shop.now;
      item.current_period_start = shop.now;
      item.current_period_end = nextTurn(shop.now, shop.now, intervalOf(price));
      cost = price.unit_amount * item.quantity;
    }
    if (prorate) settle(shop, subscription, cost - back);
  });
}

function settle(shop: Shop, subscription: Subscription, amount: number): void {
  if (amount > 0) {
    const invoice = bill(shop, subscription, amount, 'subscription_update');
    if (invoice.status !== 'paid') subscription.status = 'past_due';
  } else giveBack(shop, subscription, -amount);
}

/** As credit for what is bought next. */
function giveBack({ state }: Shop, { customer: id }: Subscription, amount: number): void {
  const customer = state.customers[id];
  if (customer) customer.balance -= amount;
}

/** Of the running period that was paid, from 0 to 1. */
function shareLeft({ now }: Shop, subscription: Subscription): number {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  return Math.min(1, Math.max(0, (end - now) / (end - start)));
}

/** Ends with the period that runs, or goes on after all. */
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

/** Over at once. `prorate`: what is left of the period becomes credit. */
export function cancel(shop: Shop, subscription: Subscription, prorate: boolean): void {
  if (!isOpen(subscription)) throw wrong('id', 'This subscription is over already.', 'resource_missing');
  if (prorate && subscription.status === 'active') {
    giveBack(
      shop,
      subscription,
      Math.round(itemOf(subscription).price.unit_amount * itemOf(subscription).quantity * shareLeft(shop, subscription)),
    );
  }
  endSubscription(shop, subscription, 'cancellation_requested');
}
