import type { Discount, Plan, Price, Subscription } from './api-types.ts';
import { day, monthsAfter, nextPeriodEnd } from './calendar.ts';
import { bill } from './invoice.ts';
import { newId, recordEvent, type Shop } from './shop.ts';

export interface SubscriptionStart {
  customer: string;
  price: Price;
  quantity: number;
  trial_days: number;
  metadata: Record<string, string>;
  session: string;
  coupon: string | null;
  promotion_code: string | null;
}

export const isOpen = ({ status }: Subscription) => status === 'trialing' || status === 'active' || status === 'past_due';

export function itemOf(subscription: Subscription) {
  const [item] = subscription.items.data;
  if (!item) throw new Error('a subscription has an item');
  return item;
}

export function beginSubscription(shop: Shop, start: SubscriptionStart): Subscription {
  const { state, now } = shop;
  const { price, trial_days } = start;
  const id = newId('sub');
  const trial_end = trial_days > 0 ? now + trial_days * day : null;
  const subscription: Subscription = {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trial_end ?? now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'classic' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: price.currency,
    customer: start.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: { account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: { type: 'self' } },
    items: {
      object: 'list',
      data: [
        {
          id: newId('si', 14),
          object: 'subscription_item',
          billing_thresholds: null,
          created: now,
          current_period_end: trial_end ?? nextPeriodEnd(now, now, intervalOf(price)),
          current_period_start: now,
          current_trial: null,
          discounts: [],
          metadata: {},
          plan: planOf(price),
          price: structuredClone(price),
          quantity: start.quantity,
          subscription: id,
          tax_rates: [],
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: start.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trial_end ? 'trialing' : 'active',
    test_clock: null,
    transfer_data: null,
    trial_end,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: trial_end ? now : null,
  };
  state.subscriptions[id] = subscription;
  takeCoupon(shop, subscription, start);
  bill(shop, subscription, trial_end ? 0 : price.unit_amount * start.quantity, 'subscription_create');
  recordEvent(shop, 'customer.subscription.created', subscription);
  return subscription;
}

function takeCoupon({ state, now }: Shop, subscription: Subscription, { coupon: id, promotion_code, session }: SubscriptionStart): void {
  const coupon = id === null ? undefined : state.coupons[id];
  if (!coupon) return;
  const code = promotion_code === null ? undefined : state.promotion_codes[promotion_code];
  coupon.times_redeemed += 1;
  if (code) code.times_redeemed += 1;
  const discount: Discount = {
    id: newId('di'),
    object: 'discount',
    checkout_session: session,
    customer: subscription.customer,
    customer_account: null,
    end: coupon.duration === 'repeating' ? monthsAfter(now, coupon.duration_in_months ?? 0) : null,
    invoice: null,
    invoice_item: null,
    promotion_code,
    source: { type: 'coupon', coupon: coupon.id },
    start: now,
    subscription: subscription.id,
    subscription_item: null,
  };
  state.discounts[discount.id] = discount;
  subscription.discounts = [discount.id];
}

export const intervalOf = (price: Price) => (price.recurring.interval === 'year' ? 'year' : 'month');

/** The older form of a price, which subscriptions still contain. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: intervalOf(price),
    interval_count: 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

export function alter(shop: Shop, subscription: Subscription, change: () => void): void {
  const subscriptionBefore = structuredClone(subscription);
  change();
  if (JSON.stringify(subscriptionBefore) !== JSON.stringify(subscription))
    recordEvent(shop, 'customer.subscription.updated', subscription, subscriptionBefore);
}

export function endSubscription(shop: Shop, subscription: Subscription, reason: 'cancellation_requested' | 'payment_failed'): void {
  Object.assign(subscription, { status: 'canceled', canceled_at: subscription.canceled_at ?? shop.now, ended_at: shop.now });
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason };
  const invoice = shop.state.invoices[subscription.latest_invoice ?? ''];
  if (invoice?.status === 'open') Object.assign(invoice, { next_payment_attempt: null, auto_advance: false });
  recordEvent(shop, 'customer.subscription.deleted', subscription);
}
