import { z } from 'zod';
import { endpoints } from './endpoint.ts';
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

export const subscriptionEndpoints = endpoints({
  'GET /web/profile/sub': {
    summary: 'The plan of this account (7.17)',
    access: 'account',
    answer: subscription,
    errors: [],
  },
});
