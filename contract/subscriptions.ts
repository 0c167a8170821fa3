import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { serverLimits } from './server-limits.ts';
import { nothing, time } from './shapes.ts';

/**
 * 3.9, and from `status` on what the screens say beside it. A `device_limit` without `subscribed` is complementary access (4.18).
 * `expires`: the end of the trial or of what is paid; for an ended subscription, when it ended; null without a subscription.
 */
export const subscription = z.object({
  subscribed: z.boolean(),
  device_limit: z.number().int().nonnegative(),
  expires: time.nullable(),
  external: z.boolean(),
  lifetime: z.boolean(),
  register_promo_code: z.object({ code: z.string() }).nullable(),
  /** Where the subscription is; null when there never was one. `past_due`: a payment did not go through, and the portal is where it is put right. */
  status: z.enum(['trialing', 'active', 'past_due', 'ended']).nullable().optional(),
  /** False when it ends at `expires`, and is not paid again. */
  renews: z.boolean().optional(),
  /** The id of the price; null without a subscription, as are the three below. */
  price: z.string().nullable().optional(),
  /** What people call the plan (2.132). */
  plan: z.string().nullable().optional(),
  /** What one interval costs, in cents, before any promo. */
  amount: z.number().int().nonnegative().nullable().optional(),
  interval: z.enum(['month', 'year']).nullable().optional(),
});
export type Subscription = z.infer<typeof subscription>;

/** P6.4: may this account use the service? Server and dashboard both need it, so it is here. */
export function isValid(s: Subscription): boolean {
  return s.subscribed || s.external || s.lifetime || s.device_limit > 0;
}

/**
 * How many devices an account may have (2.48). An account that pays elsewhere or for life, without a number, has no limit; an account that may not use the service
 * at all has none to add.
 */
export function mostDevices(s: Pick<Subscription, 'external' | 'lifetime' | 'device_limit'>): number {
  return s.device_limit === 0 && (s.external || s.lifetime) ? Number.POSITIVE_INFINITY : s.device_limit;
}

/** 3.10. Exactly one of `amount_off` (cents) and `percent_off` is there. */
export const promoCode = z.object({
  code: z.string(),
  amount_off: z.number().int().nullable(),
  percent_off: z.number().nullable(),
  duration: z.enum(['forever', 'repeating']),
  duration_in_months: z.number().int().nullable(),
  /** Unix seconds; null means that it does not end. */
  redeem_by: z.number().int().nullable(),
});
export type PromoCode = z.infer<typeof promoCode>;

/** 3.11. `amount`: cents. `metadata.metadata`: a JSON text with `device_limit`, a whole number. */
export const price = z.object({
  id: z.string(),
  amount: z.number().int().nonnegative(),
  interval: z.enum(['month', 'year']),
  metadata: z.object({ metadata: z.string() }),
});
export type Price = z.infer<typeof price>;

/** 7.20. `name`: what people call the plan (2.132). */
export const product = z.object({ id: z.string(), name: z.string(), prices: z.array(price) });
export type Product = z.infer<typeof product>;

/** What Stripe calls. Its bodies are checked as the bytes that came, by their signature, so there is no schema here. */
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
    errors: ['email_unverified', 'external_plan', 'subscription_open', 'price_unknown', 'payments_down'],
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
