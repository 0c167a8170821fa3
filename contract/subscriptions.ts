import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { time } from './shapes.ts';

/** 3.9. A `device_limit` without `subscribed` is complementary access (4.18). */
export const subscription = z.object({
  subscribed: z.boolean(),
  device_limit: z.number().int().nonnegative(),
  expires: time.nullable(),
  external: z.boolean(),
  lifetime: z.boolean(),
  register_promo_code: z.object({ code: z.string() }).nullable(),
});
export type Subscription = z.infer<typeof subscription>;

/** P6.4: may this account use the service? Needed on both ends, so it is said here. */
export function isValid(s: Subscription): boolean {
  return s.subscribed || s.external || s.lifetime || s.device_limit > 0;
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

export const subscriptionEndpoints = endpoints({
  'GET /web/profile/sub': {
    summary: 'The plan of this account (7.17)',
    access: 'account',
    answer: subscription,
    errors: [],
  },
  'GET /promo-code': {
    summary: 'What a promo code takes off (7.5)',
    access: 'public',
    query: z.object({ code: z.string().trim().min(1).max(limits.promo_code_max) }),
    answer: promoCode,
    errors: ['promo_unknown', 'promo_expired'],
  },
});
