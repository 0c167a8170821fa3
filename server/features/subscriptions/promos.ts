import { limits } from '@porchlight/contract/limits.ts';
import type { PromoCode } from '@porchlight/contract/subscriptions.ts';
import type Stripe from 'stripe';
import type { Clock } from '../../lib/clock.ts';
import { type Ask, impatient, refused } from './ask.ts';

export type Promos = ReturnType<typeof promos>;

/** What is taken off the price for whoever comes with a code (3.10): Stripe's promotion codes. Case does not matter in a code. */
export function promos({ stripe, ask, clock }: { stripe: Stripe; ask: Ask; clock: Clock }) {
  const find = async (typed: string, options?: Stripe.RequestOptions) => {
    const code = typed.trim();
    if (!code || code.length > limits.promo_code_max) return [];
    const { data } = await ask(() =>
      stripe.promotionCodes.list({ code, limit: 100, expand: ['data.promotion.coupon'] }, options).catch((err: unknown) => {
        // A text that can be no code at Stripe is a code that is not known.
        if (refused(err, 'code')) return { data: [] };
        throw err;
      }),
    );
    return data.map(promoFrom).filter((promo) => promo !== null);
  };
  const live = (found: Found[]) => found.find((promo) => isLive(promo, clock.now())) ?? null;

  return {
    /** `ended` when it can no longer be used, null when there is none. */
    async look(code: string): Promise<PromoCode | 'ended' | null> {
      const found = await find(code);
      return live(found)?.wire ?? (found.length ? 'ended' : null);
    },

    /** What Stripe calls a promo that can be used now; null of any other, because a bad offer stops nobody (8.16). */
    idOf: async (code: string): Promise<string | null> => live(await find(code))?.id ?? null,

    /** How the code is really written; null when it cannot be used. Who cannot be asked now is asked again when it counts: what was typed stays. */
    liveCode: (code: string): Promise<string | null> =>
      find(code, impatient).then(
        (found) => live(found)?.wire.code ?? null,
        () => code.trim() || null,
      ),
  };
}

interface Found {
  id: string;
  active: boolean;
  used_up: boolean;
  wire: PromoCode;
}

function isLive({ active, used_up, wire }: Found, now: Date): boolean {
  return active && !used_up && (wire.redeem_by === null || wire.redeem_by * 1000 > now.getTime());
}

/** Null for a promo that is not for everyone, or takes off money of another country. */
function promoFrom(remote: Stripe.PromotionCode): Found | null {
  const coupon = remote.promotion.coupon;
  if (!coupon || typeof coupon === 'string' || remote.customer !== null) return null;
  if (coupon.amount_off !== null && coupon.currency !== 'usd') return null;
  const ends = [remote.expires_at, coupon.redeem_by].filter((moment) => moment !== null);
  // What is taken off once is taken off the first month or the first year: for a screen that is the first payment (2.128).
  const forever = coupon.duration === 'forever';
  return {
    id: remote.id,
    active: remote.active && coupon.valid,
    used_up: remote.max_redemptions !== null && remote.times_redeemed >= remote.max_redemptions,
    wire: {
      code: remote.code,
      amount_off: coupon.amount_off,
      percent_off: coupon.percent_off,
      duration: forever ? 'forever' : 'repeating',
      duration_in_months: forever ? null : coupon.duration === 'once' ? 1 : coupon.duration_in_months,
      redeem_by: ends.length ? Math.min(...ends) : null,
    },
  };
}
