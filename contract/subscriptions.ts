import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { serverLimits } from './server-limits.ts';
import { nothing, time } from './shapes.ts';

/**
 * 3.9. A `device_limit` without `subscribed` is complimentary access (4.18).
 * `expires`: the end of the trial, the paid time, or the ended subscription.
 */
export const subscription = z.object({
  subscribed: z.boolean(),
  device_limit: z.number().int().nonnegative(),
  expires: time.nullable(),
  external: z.boolean(),
  lifetime: z.boolean(),
  register_promo_code: z.object({ code: z.string() }).nullable(),
  /** Null: never had a subscription. `past_due`: a payment failed. */
  status: z.enum(['trialing', 'active', 'past_due', 'ended']).nullable().optional(),
  /** False: the plan ends at `expires`. */
  renews: z.boolean().optional(),
  /** The price's id. Like `plan`, `amount` and `interval` null without a subscription. */
  price: z.string().nullable().optional(),
  /** The plan's name for people (2.132). */
  plan: z.string().nullable().optional(),
  /** Cents, before any promo. */
  amount: z.number().int().nonnegative().nullable().optional(),
  interval: z.enum(['month', 'year']).nullable().optional(),
});
export type Subscription = z.infer<typeof subscription>;

/** P6.4. Server and dashboard share this rule. */
export function isValid(s: Subscription): boolean {
  return s.subscribed || s.external || s.lifetime || s.device_limit > 0;
}

/** 2.48: no limit for an external or lifetime plan without a number, 0 without access. */
export function mostDevices(s: Pick<Subscription, 'external' | 'lifetime' | 'device_limit'>): number {
  return s.device_limit === 0 && (s.external || s.lifetime) ? Number.POSITIVE_INFINITY : s.device_limit;
}

/** 3.10, with exactly one of `amount_off` (cents) and `percent_off`. */
export const promoCode = z.object({
  code: z.string(),
  amount_off: z.number().int().nullable(),
  percent_off: z.number().nullable(),
  duration: z.enum(['forever', 'repeating']),
  duration_in_months: z.number().int().nullable(),
  /** Unix seconds; null: never expires. */
  redeem_by: z.number().int().nullable(),
});
export type PromoCode = z.infer<typeof promoCode>;

/** 3.11. `amount`: cents. `metadata.metadata`: JSON text with `device_limit`, a whole number. */
export const price = z.object({
  id: z.string(),
  amount: z.number().int().nonnegative(),
  interval: z.enum(['month', 'year']),
  metadata: z.object({ metadata: z.string() }),
});
export type Price = z.infer<typeof price>;

/** 7.20. `name`: the plan, for people (2.132). */
export const product = z.object({ id: z.string(), name: z.string(), prices: z.array(price) });
export type Product = z.infer<typeof product>;

/** Webhooks, verified by the signature over their raw bytes, hence no schema. */
export const paymentEventEndpoints = endpoints({
  'POST /stripe/webhook': {
    summary: 'Something happened at Stripe; the body is its event, signed in `stripe-signature`',
    access: 'public',
    answer: nothing,
    errors: ['signature_wrong', 'payments_down'],
  },
});

export const subscriptionEndpoints = endpoints({
  'GET /web/profile/sub': {
    summary: 'The plan of this account (7.17)',
    access: 'account',
    answer: subscription,
    errors: [],
  },
  'POST /web/profile/sub/portal': {
    summary: 'Where the holder changes, pays and ends the subscription; the browser goes there (7.18)',
    access: 'account',
    answer: z.url(),
    errors: ['external_plan', 'no_subscription', 'payments_down'],
  },
  'POST /web/profile/sub/order': {
    summary: 'Where a price is bought; the browser goes there (7.19). A promo that cannot be used is left out (8.16)',
    access: 'account',
    body: z.object({
      price: z.string().min(1).max(serverLimits.price_id_max),
      promo: z.string().trim().max(limits.promo_code_max).nullish(),
    }),
    answer: z.url(),
    errors: ['email_unverified', 'external_plan', 'lifetime_plan', 'subscription_open', 'price_unknown', 'payments_down'],
  },
  'GET /web/profile/sub/products': {
    summary: 'What can be bought, each with its prices (7.20)',
    access: 'account',
    answer: z.object({ products: z.array(product) }),
    errors: ['payments_down'],
  },
  'GET /promo-code': {
    summary: 'What a promo code takes off (7.5)',
    access: 'public',
    query: z.object({ code: z.string().trim().min(1).max(limits.promo_code_max) }),
    answer: promoCode,
    errors: ['promo_unknown', 'promo_expired', 'payments_down'],
  },
});
