import type Stripe from 'stripe';

/** `amount_off`: in cents. `redeem_by`: when the promotion expires. */
export interface Promo {
  code: string;
  percent_off: number | null;
  amount_off: number | null;
  duration: 'forever' | 'repeating' | 'once';
  duration_in_months: number | null;
  redeem_by: Date | null;
}

/** Promotions at Stripe: a coupon is the discount, and a promotion code is what users type. */
export function promosAt(stripe: Stripe) {
  return {
    /** False when the code exists. */
    async create({ code, percent_off, amount_off, duration, duration_in_months, redeem_by }: Promo): Promise<boolean> {
      const existingCodes = await stripe.promotionCodes.list({ code, active: true, limit: 1 });
      if (existingCodes.data.length) return false;
      const discount = percent_off === null ? { amount_off: amount_off ?? 0, currency: 'usd' } : { percent_off };
      const months = duration_in_months === null ? {} : { duration_in_months };
      const coupon = await stripe.coupons.create({ ...discount, duration, ...months, name: code.slice(0, 40) });
      const ends = redeem_by ? { expires_at: Math.floor(redeem_by.getTime() / 1000) } : {};
      try {
        await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code, ...ends });
        return true;
      } catch (reason) {
        // A coupon is usable only through a promotion code.
        await stripe.coupons.del(coupon.id).catch(() => {});
        if ((reason as { param?: string }).param === 'code') return false;
        throw reason;
      }
    },

    async list(): Promise<(Promo & { usable: boolean })[]> {
      const foundCodes = await stripe.promotionCodes
        .list({ limit: 100, expand: ['data.promotion.coupon'] })
        .autoPagingToArray({ limit: 10_000 });
      return foundCodes.flatMap(({ code, active, expires_at, promotion: { coupon } }) => {
        if (!coupon || typeof coupon === 'string') return [];
        const { percent_off, amount_off, duration, duration_in_months } = coupon;
        const ends = [expires_at, coupon.redeem_by].filter((moment) => moment !== null);
        const redeem_by = ends.length ? new Date(Math.min(...ends) * 1000) : null;
        const knownDuration = (['forever', 'once'] as const).find((candidate) => candidate === duration) ?? 'repeating';
        return [{ code, percent_off, amount_off, duration: knownDuration, duration_in_months, redeem_by, usable: active && coupon.valid }];
      });
    },
  };
}
