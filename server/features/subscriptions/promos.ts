import { limits } from '@porchlight/contract/limits.ts';
import type { PromoCode } from '@porchlight/contract/subscriptions.ts';
import type Stripe from 'stripe';
import type { Clock } from '../../lib/clock.ts';
import { type CallStripe, isRejection, singleAttempt } from './ask.ts';

export type Promos = ReturnType<typeof promos>;

/** Discounts (3.10), which are Stripe's promotion codes. Not case-sensitive. */
export function promos({ stripe, ask: callStripe, clock }: { stripe: Stripe; ask: CallStripe; clock: Clock }) {
  const find = async (typed: string, options?: Stripe.RequestOptions) => {
    const code = typed.trim();
    if (!code || code.length > limits.promo_code_max) return [];
    const { data } = await callStripe(() =>
      stripe.promotionCodes.list({ code, limit: 100, expand: ['data.promotion.coupon'] }, options).catch((err: unknown) => {
        // Stripe rejects text that cannot be a code.
        if (isRejection(err, 'code')) return { data: [] };
        throw err;
      }),
    );
    return data.map(promoFrom).filter((promo) => promo !== null);
  };
  const validPromo = (foundPromos: FoundPromo[]) => foundPromos.find((promo) => isLive(promo, clock.now())) ?? null;

  return {
    /** A valid promo, or `ended`; null when unknown. */
    async lookUp(code: string): Promise<PromoCode | 'ended' | null> {
      const foundPromos = await find(code);
      return validPromo(foundPromos)?.publicPromo ?? (foundPromos.length ? 'ended' : null);
    },

    /** Stripe's id of a valid promo, otherwise null: an invalid one must not prevent an order (8.16). */
    idOf: async (code: string): Promise<string | null> => validPromo(await find(code))?.id ?? null,

    /** A valid promo's original spelling, otherwise null. While Stripe is unavailable codes are accepted unchecked until the order. */
    liveCode: (code: string): Promise<string | null> =>
      find(code, singleAttempt).then(
        (found) => validPromo(found)?.publicPromo.code ?? null,
        () => code.trim() || null,
      ),
  };
}

interface FoundPromo {
  id: string;
  active: boolean;
  used_up: boolean;
  publicPromo: PromoCode;
}

function isLive({ active, used_up, publicPromo }: FoundPromo, now: Date): boolean {
  return active && !used_up && (publicPromo.redeem_by === null || publicPromo.redeem_by * 1000 > now.getTime());
}

/** A promo from Stripe's data; null if it is personal or in another currency. */
function promoFrom(remote: Stripe.PromotionCode): FoundPromo | null {
  const coupon = remote.promotion.coupon;
  if (!coupon || typeof coupon === 'string' || remote.customer !== null) return null;
  if (coupon.amount_off !== null && coupon.currency !== 'usd') return null;
  const ends = [remote.expires_at, coupon.redeem_by].filter((moment) => moment !== null);
  // Screens show a single discount as one month (2.128).
  const isForever = coupon.duration === 'forever';
  return {
    id: remote.id,
    active: remote.active && coupon.valid,
    used_up: remote.max_redemptions !== null && remote.times_redeemed >= remote.max_redemptions,
    publicPromo: {
      code: remote.code,
      amount_off: coupon.amount_off,
      percent_off: coupon.percent_off,
      duration: isForever ? 'forever' : 'repeating',
      duration_in_months: isForever ? null : coupon.duration === 'once' ? 1 : coupon.duration_in_months,
      redeem_by: ends.length ? Math.min(...ends) : null,
    },
  };
}
