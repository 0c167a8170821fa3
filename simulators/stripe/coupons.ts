import { z } from 'zod';
import type { Coupon, PromotionCode } from './api-types.ts';
import { is, raise } from './catalog.ts';
import { flag, isWithin, mergeMetadata, metadata, moments, paging, text, wholeNumber } from './form.ts';
import { pageOf } from './lists.ts';
import { invalidParameter, noSuch } from './refused.ts';
import { type Route, route } from './route.ts';
import { newId, type Shop } from './shop.ts';

export const couponRoutes: Route[] = [
  route(
    'POST /v1/coupons',
    {
      id: text.optional(),
      name: z.string().max(40).optional(),
      percent_off: z
        .string()
        .regex(/^\d{1,3}(\.\d{1,2})?$/)
        .transform(Number)
        .optional(),
      amount_off: wholeNumber.optional(),
      currency: z
        .string()
        .regex(/^[a-z]{3}$/)
        .optional(),
      duration: z.enum(['forever', 'once', 'repeating']).default('once'),
      duration_in_months: wholeNumber.optional(),
      max_redemptions: wholeNumber.optional(),
      redeem_by: wholeNumber.optional(),
      metadata: metadata.optional(),
    },
    (shop, form) => {
      const { percent_off = null, amount_off = null, duration, duration_in_months = null } = form;
      if ((percent_off === null) === (amount_off === null))
        throw invalidParameter('percent_off', 'A coupon has either percent_off or amount_off.');
      if (percent_off !== null && (percent_off <= 0 || percent_off > 100))
        throw invalidParameter('percent_off', 'A percentage is above 0 and at most 100.');
      if (amount_off !== null && (amount_off < 1 || !form.currency))
        throw invalidParameter('currency', 'An amount is above 0 and has a currency.');
      if ((duration === 'repeating') !== (duration_in_months !== null))
        throw invalidParameter('duration_in_months', 'Months belong to a repeating coupon.');
      const id = form.id ?? newId('', 8).slice(1);
      if (Object.hasOwn(shop.state.coupons, id))
        throw invalidParameter('id', `There is a coupon '${id}' already.`, 'resource_already_exists');
      const coupon: Coupon = {
        id,
        object: 'coupon',
        amount_off,
        created: shop.now,
        currency: amount_off === null ? null : (form.currency ?? null),
        duration,
        duration_in_months,
        livemode: false,
        max_redemptions: form.max_redemptions ?? null,
        metadata: mergeMetadata({}, form.metadata),
        name: form.name ?? null,
        percent_off,
        redeem_by: form.redeem_by ?? null,
        times_redeemed: 0,
        valid: true,
      };
      shop.state.coupons[id] = coupon;
      return coupon;
    },
  ),
  route('GET /v1/coupons', { ...paging, created: moments.optional() }, ({ state }, form) =>
    pageOf(
      Object.values(state.coupons).filter((row) => isWithin(row.created, form.created)),
      '/v1/coupons',
      form,
    ),
  ),
  route('GET /v1/coupons/:id', {}, (shop, _form, id) => couponOf(shop, id)),
  route('DELETE /v1/coupons/:id', {}, (shop, _form, id) => {
    couponOf(shop, id);
    // Existing discounts of a deleted coupon stay; new discounts are refused.
    Object.assign(shop.state.coupons[id] ?? {}, { valid: false, deleted: true });
    return { id, object: 'coupon', deleted: true };
  }),

  route(
    'POST /v1/promotion_codes',
    {
      promotion: z.strictObject({ type: z.literal('coupon'), coupon: text }),
      code: z
        .string()
        .regex(/^[A-Za-z0-9-]{1,500}$/)
        .optional(),
      active: flag.default(true),
      customer: text.optional(),
      expires_at: wholeNumber.optional(),
      max_redemptions: wholeNumber.optional(),
      metadata: metadata.optional(),
    },
    (shop, form) => {
      const code = form.code ?? newId('', 8).slice(1).toUpperCase();
      couponOf(shop, form.promotion.coupon, 'promotion[coupon]');
      if (form.customer !== undefined && !Object.hasOwn(shop.state.customers, form.customer))
        throw noSuch('customer', form.customer, 'customer');
      if (form.expires_at !== undefined && form.expires_at <= shop.now)
        throw invalidParameter('expires_at', 'It has to end in the future.');
      const isTaken = Object.values(shop.state.promotion_codes).some((row) => isCode(row, code) && isActive(shop, row));
      if (isTaken) throw invalidParameter('code', `There is an active promotion code ${code} already.`, 'resource_already_exists');
      const promotion_code: PromotionCode = {
        id: newId('promo'),
        object: 'promotion_code',
        active: form.active,
        code,
        created: shop.now,
        customer: form.customer ?? null,
        customer_account: null,
        expires_at: form.expires_at ?? null,
        livemode: false,
        max_redemptions: form.max_redemptions ?? null,
        metadata: mergeMetadata({}, form.metadata),
        promotion: { type: 'coupon', coupon: form.promotion.coupon },
        restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
        times_redeemed: 0,
      };
      shop.state.promotion_codes[promotion_code.id] = promotion_code;
      return promotion_code;
    },
  ),
  route(
    'GET /v1/promotion_codes',
    {
      ...paging,
      active: flag.optional(),
      code: text.optional(),
      coupon: text.optional(),
      customer: text.optional(),
      created: moments.optional(),
    },
    (shop, form) =>
      pageOf(
        Object.values(shop.state.promotion_codes).filter(
          (row) =>
            is(form.active, row.active) &&
            (form.code === undefined || isCode(row, form.code)) &&
            is(form.coupon, row.promotion.coupon) &&
            is(form.customer, row.customer ?? undefined) &&
            isWithin(row.created, form.created),
        ),
        '/v1/promotion_codes',
        form,
      ),
  ),
  route('GET /v1/promotion_codes/:id', {}, (shop, _form, id) => promotionCodeOf(shop, id)),
  route('POST /v1/promotion_codes/:id', { active: flag.optional(), metadata: metadata.optional() }, (shop, form, id) => {
    const row = promotionCodeOf(shop, id);
    return Object.assign(row, { active: form.active ?? row.active, metadata: mergeMetadata(row.metadata ?? {}, form.metadata) });
  }),
];

const isCode = (row: PromotionCode, code: string) => row.code.toLowerCase() === code.toLowerCase();

export function couponOf({ state }: Shop, id: string, param?: string): Coupon {
  const coupon = Object.hasOwn(state.coupons, id) ? state.coupons[id] : undefined;
  return coupon && !('deleted' in coupon) ? coupon : raise(noSuch('coupon', id, param));
}

export function promotionCodeOf({ state }: Shop, id: string, param?: string): PromotionCode {
  return (Object.hasOwn(state.promotion_codes, id) && state.promotion_codes[id]) || raise(noSuch('promotion code', id, param));
}

/** Retires expired and used-up coupons and codes; called before every answer. */
export function retireCoupons({ state, now }: Shop): void {
  for (const coupon of Object.values(state.coupons)) {
    const isExpired = coupon.redeem_by !== null && coupon.redeem_by <= now;
    const used_up = coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions;
    if (isExpired || used_up) coupon.valid = false;
  }
  for (const row of Object.values(state.promotion_codes)) if (!isActive({ state, now }, row)) row.active = false;
}

function isActive({ state, now }: Pick<Shop, 'state' | 'now'>, row: PromotionCode): boolean {
  const used_up = row.max_redemptions !== null && row.times_redeemed >= row.max_redemptions;
  return row.active && !used_up && (row.expires_at === null || row.expires_at > now) && state.coupons[row.promotion.coupon]?.valid === true;
}

export function usableCode(shop: Shop, typed: string): PromotionCode | undefined {
  return Object.values(shop.state.promotion_codes).find((row) => isCode(row, typed.trim()) && isActive(shop, row));
}

export const isUsable = isActive;
