import type Stripe from 'stripe';

/** What a promo takes off, and for how long. `amount_off`: cents. `redeem_by`: the last moment at which it can be used. */
export interface Promo {
  code: string;
  percent_off: number | null;
  amount_off: number | null;
  duration: 'forever' | 'repeating' | 'once';
  duration_in_months: number | null;
  redeem_by: Date | null;
}

/** The promos at Stripe: a coupon says what is taken off, and a promotion code is what people type for it. */
export function promosAt(stripe: Stripe) {
  return {
    /** False when the code is taken. */
    async create({ code, percent_off, amount_off, duration, duration_in_months, redeem_by }: Promo): Promise<boolean> {
      const taken = await stripe.promotionCodes.list({ code, active: true, limit: 1 });
      if (taken.data.length) return false;
      const off = percent_off === null ? { amount_off: amount_off ?? 0, currency: 'usd' } : { percent_off };
      const months = duration_in_months === null ? {} : { duration_in_months };
      const coupon = await stripe.coupons.create({ ...off, duration, ...months, name: code.slice(0, 40) });
      const ends = redeem_by ? { expires_at: Math.floor(redeem_by.getTime() / 1000) } : {};
      try {
        await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code, ...ends });
        return true;
      } catch (reason) {
        // Without a code nobody can use it.
        await stripe.coupons.del(coupon.id).catch(() => {});
        if ((reason as { param?: string }).param === 'code') return false;
        throw reason;
      }
    },

    /** Newest first. `usable`: now. */
    async list(): Promise<(Promo & { usable: boolean })[]> {
      const found = await stripe.promotionCodes
        .list({ limit: 100, expand: ['data.promotion.coupon'] })
        .autoPagingToArray({ limit: 10_000 });
      return found.flatMap(({ code, active, expires_at, promotion: { coupon } }) => {
        if (!coupon || typeof coupon === 'string') return [];
        const { percent_off, amount_off, duration, duration_in_months } = coupon;
        const ends = [expires_at, coupon.redeem_by].filter((moment) => moment !== null);
        const redeem_by = ends.length ? new Date(Math.min(...ends) * 1000) : null;
        const long = (['forever', 'once'] as const).find((known) => known === duration) ?? 'repeating';
        return [{ code, percent_off, amount_off, duration: long, duration_in_months, redeem_by, usable: active && coupon.valid }];
      });
    },
  };
}
