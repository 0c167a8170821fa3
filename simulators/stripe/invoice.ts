import type { Coupon, Discount, Invoice, Subscription } from './api-types.ts';
import { day } from './calendar.ts';
import { newId, recordEvent, type Shop } from './shop.ts';

/** Days after the invoice when a failed payment is retried; after the last retry the subscription ends. In Stripe a setting of the shop. */
export const retryDays = [3, 5, 8];

export type Reason = 'subscription_create' | 'subscription_cycle' | 'subscription_update';

/** Bills `amount` cents for the current period, less discount and credit, and charges the card at once. */
export function bill(shop: Shop, subscription: Subscription, amount: number, reason: Reason): Invoice {
  const { state, now } = shop;
  const [item] = subscription.items.data;
  const customer = state.customers[subscription.customer];
  if (!item || !customer) throw new Error('a subscription has an item and a customer');
  const discount = discountNow(shop, subscription, amount);
  const discountCents = discount ? discountAmount(discount.coupon, amount) : 0;
  const total = amount - discountCents;
  const credit = Math.min(-Math.min(customer.balance, 0), total);
  const id = newId('in');
  const starting_balance = customer.balance;
  customer.balance += credit;
  const due = total - credit;
  const discount_amounts = discount ? [{ amount: discountCents, discount: discount.id }] : [];
  const invoice: Invoice = {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: null,
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: item.price.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: discount ? [discount.id] : [],
    due_date: null,
    effective_at: now,
    ending_balance: customer.balance,
    footer: null,
    from_invoice: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: 'list',
      data: [
        {
          id: newId('il'),
          object: 'line_item',
          amount,
          currency: item.price.currency,
          description: reason === 'subscription_update' ? 'The change of the plan' : 'The plan',
          discount_amounts,
          discountable: true,
          discounts: discount ? [discount.id] : [],
          invoice: id,
          livemode: false,
          metadata: subscription.metadata,
          parent: {
            invoice_item_details: null,
            subscription_item_details: {
              invoice_item: null,
              proration: reason === 'subscription_update',
              proration_details: null,
              subscription: subscription.id,
              subscription_item: item.id,
            },
            type: 'subscription_item_details',
          },
          period: { start: item.current_period_start, end: item.current_period_end },
          pretax_credit_amounts: null,
          pricing: {
            type: 'price_details',
            unit_amount_decimal: item.price.unit_amount_decimal,
            price_details: { price: item.price.id, product: item.price.product },
          },
          quantity: item.quantity,
          quantity_decimal: String(item.quantity),
          subscription: subscription.id,
          subtotal: amount,
          taxes: [],
        },
      ],
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: `TEST-${String(Object.keys(state.invoices).length + 1).padStart(4, '0')}`,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance,
    statement_descriptor: null,
    status: 'open',
    status_transitions: { finalized_at: now, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: amount,
    subtotal_excluding_tax: amount,
    test_clock: null,
    total,
    total_discount_amounts: discount_amounts,
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
  state.invoices[id] = invoice;
  subscription.latest_invoice = id;
  recordEvent(shop, 'invoice.created', invoice);
  charge(shop, invoice);
  return invoice;
}

export function charge(shop: Shop, invoice: Invoice): boolean {
  if (invoice.status !== 'open') return invoice.status === 'paid';
  const fails = invoice.amount_due > 0 && shop.state.failing_cards.includes(invoice.customer);
  invoice.attempted = true;
  if (invoice.amount_due > 0) invoice.attempt_count += 1;
  if (fails) {
    const daysToRetry = retryDays[invoice.attempt_count - 1];
    invoice.next_payment_attempt = daysToRetry === undefined ? null : invoice.created + daysToRetry * day;
    recordEvent(shop, 'invoice.payment_failed', invoice);
    return false;
  }
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    auto_advance: false,
  });
  invoice.status_transitions.paid_at = shop.now;
  recordEvent(shop, 'invoice.paid', invoice);
  return true;
}

/** The current discount. An invoice with an amount uses up a one-time discount. */
function discountNow({ state, now }: Shop, subscription: Subscription, amount: number): (Discount & { coupon: Coupon }) | undefined {
  const discount = state.discounts[subscription.discounts[0] ?? ''];
  const coupon = state.coupons[discount?.source.coupon ?? ''];
  if (!discount || !coupon || amount === 0) return undefined;
  if (discount.end !== null && discount.end <= now) return undefined;
  if (coupon.duration === 'once') subscription.discounts = [];
  return { ...discount, coupon };
}

export function discountAmount({ percent_off, amount_off }: Coupon, amount: number): number {
  return percent_off === null ? Math.min(amount_off ?? 0, amount) : Math.round((amount * percent_off) / 100);
}
