import { z } from 'zod';
import { alwaysNull, cents, count, currency, decimal, flag, id, listOf, metadata, test, text, unixTime } from './stripe-shape-fields.ts';

/**
 * Shapes of Stripe's API 2026-09-30.endive: required fields, their types, and what may be null. Written by hand from the published schema
 * of that version; strict, so that extra fields fail.
 */
export const product = z.strictObject({
  id: id('prod_'),
  object: z.literal('product'),
  active: flag,
  created: unixTime,
  description: text.nullable(),
  images: z.array(text),
  livemode: test,
  marketing_features: z.array(z.strictObject({ name: text.optional() })),
  metadata,
  name: text.min(1),
  package_dimensions: alwaysNull,
  shippable: flag.nullable(),
  tax_details: alwaysNull,
  type: z.enum(['good', 'service']),
  updated: unixTime,
  url: text.nullable(),
});

const interval = z.enum(['day', 'week', 'month', 'year']);
export const price = z.strictObject({
  id: id('price_'),
  object: z.literal('price'),
  active: flag,
  billing_scheme: z.enum(['per_unit', 'tiered']),
  created: unixTime,
  currency,
  custom_unit_amount: alwaysNull,
  livemode: test,
  lookup_key: text.nullable(),
  metadata,
  nickname: text.nullable(),
  product: id('prod_'),
  recurring: z
    .strictObject({
      interval,
      interval_count: z.number().int().positive(),
      meter: text.nullable(),
      trial_period_days: count.nullable(),
      usage_type: z.enum(['licensed', 'metered']),
    })
    .nullable(),
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).nullable(),
  tiers_mode: z.enum(['graduated', 'volume']).nullable(),
  transform_quantity: alwaysNull,
  type: z.enum(['one_time', 'recurring']),
  unit_amount: cents.nullable(),
  unit_amount_decimal: decimal.nullable(),
});

const plan = z.strictObject({
  id: text,
  object: z.literal('plan'),
  active: flag,
  amount: cents.nullable(),
  amount_decimal: decimal.nullable(),
  billing_scheme: z.enum(['per_unit', 'tiered']),
  created: unixTime,
  currency,
  interval,
  interval_count: z.number().int().positive(),
  livemode: test,
  metadata: metadata.nullable(),
  meter: text.nullable(),
  nickname: text.nullable(),
  product: id('prod_').nullable(),
  tiers_mode: z.enum(['graduated', 'volume']).nullable(),
  transform_usage: alwaysNull,
  trial_period_days: count.nullable(),
  usage_type: z.enum(['licensed', 'metered']),
});

export const coupon = z.strictObject({
  id: text,
  object: z.literal('coupon'),
  amount_off: cents.positive().nullable(),
  created: unixTime,
  currency: currency.nullable(),
  duration: z.enum(['forever', 'once', 'repeating']),
  duration_in_months: z.number().int().positive().nullable(),
  livemode: test,
  max_redemptions: count.nullable(),
  metadata: metadata.nullable(),
  name: text.nullable(),
  percent_off: z.number().positive().max(100).nullable(),
  redeem_by: unixTime.nullable(),
  times_redeemed: count,
  valid: flag,
});

export const promotionCode = z.strictObject({
  id: id('promo_'),
  object: z.literal('promotion_code'),
  active: flag,
  code: text,
  created: unixTime,
  customer: id('cus_').nullable(),
  customer_account: text.nullable(),
  expires_at: unixTime.nullable(),
  livemode: test,
  max_redemptions: count.nullable(),
  metadata: metadata.nullable(),
  promotion: z.strictObject({ coupon: text.nullable(), type: z.literal('coupon') }),
  restrictions: z.strictObject({
    first_time_transaction: flag,
    minimum_amount: cents.nullable(),
    minimum_amount_currency: currency.nullable(),
  }),
  times_redeemed: count,
});

export const discount = z.strictObject({
  id: id('di_'),
  object: z.literal('discount'),
  checkout_session: id('cs_').nullable(),
  customer: id('cus_').nullable(),
  customer_account: text.nullable(),
  end: unixTime.nullable(),
  invoice: id('in_').nullable(),
  invoice_item: text.nullable(),
  promotion_code: id('promo_').nullable(),
  source: z.strictObject({ coupon: text.nullable(), type: z.literal('coupon') }),
  start: unixTime,
  subscription: id('sub_').nullable(),
  subscription_item: id('si_').nullable(),
});

export const customer = z.strictObject({
  id: id('cus_'),
  object: z.literal('customer'),
  address: alwaysNull.optional(),
  balance: cents,
  created: unixTime,
  currency: currency.nullish(),
  default_source: text.nullable(),
  delinquent: flag.nullish(),
  description: text.nullable(),
  email: text.nullable(),
  invoice_settings: z.strictObject({
    custom_fields: alwaysNull,
    default_payment_method: text.nullable(),
    footer: text.nullable(),
    rendering_options: alwaysNull,
  }),
  livemode: test,
  metadata,
  name: text.nullish(),
  phone: text.nullish(),
  preferred_locales: z.array(text).nullish(),
  shipping: alwaysNull,
  tax_exempt: z.enum(['exempt', 'none', 'reverse']).nullish(),
});

export const deletedCustomer = z.strictObject({ id: id('cus_'), object: z.literal('customer'), deleted: z.literal(true) });
export const deletedCoupon = z.strictObject({ id: text, object: z.literal('coupon'), deleted: z.literal(true) });

const item = z.strictObject({
  id: id('si_'),
  object: z.literal('subscription_item'),
  billing_thresholds: alwaysNull,
  created: unixTime,
  current_period_end: unixTime,
  current_period_start: unixTime,
  current_trial: alwaysNull,
  discounts: z.array(text),
  metadata,
  plan,
  price,
  quantity: count.optional(),
  subscription: id('sub_'),
  tax_rates: z.array(z.never()).nullable(),
});

const issuer = z.strictObject({ type: z.enum(['account', 'self']) });
export const subscription = z.strictObject({
  id: id('sub_'),
  object: z.literal('subscription'),
  application: alwaysNull,
  application_fee_percent: z.number().nullable(),
  automatic_tax: z.strictObject({
    disabled_reason: z.literal('requires_location_inputs').nullable(),
    enabled: flag,
    liability: alwaysNull,
  }),
  billing_cycle_anchor: unixTime,
  billing_cycle_anchor_config: alwaysNull,
  billing_mode: z.strictObject({ flexible: alwaysNull, type: z.enum(['classic', 'flexible']) }),
  billing_schedules: z.array(z.never()),
  billing_thresholds: alwaysNull,
  cancel_at: unixTime.nullable(),
  cancel_at_period_end: flag,
  canceled_at: unixTime.nullable(),
  cancellation_details: z.strictObject({
    comment: text.nullable(),
    feedback: text.nullable(),
    feedback_option: text.nullable(),
    reason: z.enum(['canceled_by_retention_policy', 'cancellation_requested', 'payment_disputed', 'payment_failed']).nullable(),
  }),
  collection_method: z.enum(['charge_automatically', 'send_invoice']),
  created: unixTime,
  currency,
  customer: id('cus_'),
  customer_account: text.nullable(),
  days_until_due: count.nullable(),
  default_payment_method: text.nullable(),
  default_source: text.nullable(),
  default_tax_rates: z.array(z.never()).nullish(),
  description: text.nullable(),
  discounts: z.array(id('di_')),
  ended_at: unixTime.nullable(),
  invoice_settings: z.strictObject({
    account_tax_ids: alwaysNull,
    custom_fields: alwaysNull,
    description: text.nullable(),
    footer: text.nullable(),
    issuer,
  }),
  items: listOf(item, /^\/v1\/subscription_items\?subscription=sub_/),
  latest_invoice: id('in_').nullable(),
  livemode: test,
  managed_payments: alwaysNull,
  metadata,
  next_pending_invoice_item_invoice: unixTime.nullable(),
  on_behalf_of: alwaysNull,
  pause_collection: alwaysNull,
  payment_settings: z
    .strictObject({
      payment_method_options: alwaysNull,
      payment_method_types: alwaysNull,
      save_default_payment_method: z.enum(['off', 'on_subscription']).nullable(),
    })
    .nullable(),
  pending_invoice_item_interval: alwaysNull,
  pending_setup_intent: alwaysNull,
  pending_update: alwaysNull,
  schedule: alwaysNull,
  start_date: unixTime,
  status: z.enum(['active', 'canceled', 'incomplete', 'incomplete_expired', 'past_due', 'paused', 'trialing', 'unpaid']),
  test_clock: alwaysNull,
  transfer_data: alwaysNull,
  trial_end: unixTime.nullable(),
  trial_settings: z
    .strictObject({
      end_behavior: z.strictObject({
        billing_cycle_anchor: z.enum(['now', 'unchanged']).nullable(),
        missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']),
      }),
    })
    .nullable(),
  trial_start: unixTime.nullable(),
});

export const portalSession = z.strictObject({
  id: id('bps_'),
  object: z.literal('billing_portal.session'),
  configuration: id('bpc_'),
  created: unixTime,
  customer: id('cus_'),
  customer_account: text.nullable(),
  flow: alwaysNull,
  livemode: test,
  locale: text.nullable(),
  on_behalf_of: text.nullable(),
  return_url: text.nullable(),
  url: text,
});

export const error = z.strictObject({
  error: z.strictObject({
    type: z.enum(['api_error', 'card_error', 'idempotency_error', 'invalid_request_error']),
    message: text,
    code: text.optional(),
    param: text.optional(),
  }),
});

export const event = z.strictObject({
  id: id('evt_'),
  object: z.literal('event'),
  api_version: text.nullable(),
  created: unixTime,
  data: z.strictObject({ object: z.looseObject({ object: text }), previous_attributes: z.record(text, z.unknown()).optional() }),
  livemode: test,
  pending_webhooks: count,
  request: z.strictObject({ id: text.nullable(), idempotency_key: text.nullable() }).nullable(),
  type: text.regex(/^[a-z_]+(\.[a-z_]+)+$/),
});
