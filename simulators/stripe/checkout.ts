import type { Coupon, Session } from './api-types.ts';
import { priceOf } from './catalog.ts';
import { usableCode } from './coupons.ts';
import { newCustomer } from './customers.ts';
import { discountAmount } from './invoice.ts';
import { Refused } from './refused.ts';
import { recordEvent, type Shop } from './shop.ts';
import { beginSubscription } from './subscription.ts';

export type Card = 'works' | 'fails';

/** In cents: the regular price, the discounted price, and the amount due today. */
export function totals(shop: Shop, session: Session) {
  const order = shop.state.orders[session.id];
  if (!order) throw new Error('a session has an order');
  const price = priceOf(shop, order.price);
  const coupon = couponIn(shop, session);
  const regular = price.unit_amount * order.quantity;
  const reduced = regular - (coupon ? discountAmount(coupon, regular) : 0);
  return { order, price, coupon, regular, reduced, today: order.trial_days > 0 ? 0 : reduced };
}

export function couponIn({ state }: Shop, session: Session): Coupon | null {
  const [discount] = session.discounts;
  const code = state.promotion_codes[discount?.promotion_code ?? ''];
  return state.coupons[code?.promotion.coupon ?? discount?.coupon ?? ''] ?? null;
}

/** Starts the subscription of a checkout session. `typed`: a promotion code, if the session accepts codes. */
export function completeSession(shop: Shop, session: Session, card: Card, typed = ''): void {
  const { state } = shop;
  if (session.status !== 'open') throw new Refused(400, 'This page was used already.', { code: 'checkout_session_not_open' });
  if (typed.trim() && session.allow_promotion_codes) {
    const code = usableCode(shop, typed);
    if (!code) throw new Refused(400, `The code “${typed.trim()}” cannot be used.`, { param: 'promotion_code' });
    session.discounts = [{ coupon: null, promotion_code: code.id }];
  }
  const { order, price, coupon, regular, reduced, today } = totals(shop, session);
  if (today > 0 && card === 'fails')
    throw new Refused(402, 'This card was declined. Nothing was paid.', { type: 'card_error', code: 'card_declined' });
  const customer =
    session.customer ?? newCustomer(shop, { email: session.customer_email ?? `${session.id.slice(-8).toLowerCase()}@example.org` }).id;
  state.failing_cards = state.failing_cards.filter((id) => id !== customer);
  if (card === 'fails') state.failing_cards.push(customer);
  const subscription = beginSubscription(shop, {
    ...order,
    customer,
    price,
    session: session.id,
    coupon: coupon?.id ?? null,
    promotion_code: session.discounts[0]?.promotion_code ?? null,
  });
  const { email = null, name = null } = state.customers[customer] ?? {};
  Object.assign(session, {
    status: 'complete',
    payment_status: today > 0 ? 'paid' : 'no_payment_required',
    url: null,
    customer,
    customer_details: {
      address: null,
      business_name: null,
      email,
      individual_name: null,
      name,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    subscription: subscription.id,
    invoice: subscription.latest_invoice,
    amount_subtotal: today > 0 ? regular : 0,
    amount_total: today,
    total_details: { amount_discount: today > 0 ? regular - reduced : 0, amount_shipping: 0, amount_tax: 0 },
  } satisfies Partial<Session>);
  recordEvent(shop, 'checkout.session.completed', session);
}
