import { z } from 'zod';
import type { PortalSession, Session } from './api-types.ts';
import { is, priceOf, raise } from './catalog.ts';
import { totals } from './checkout.ts';
import { couponOf, isUsable, promotionCodeOf } from './coupons.ts';
import { customerOf } from './customers.ts';
import { arrayOf, flag, isWithin, mergeMetadata, metadata, moments, paging, text, wholeNumber } from './form.ts';
import { expireSession } from './lifecycle.ts';
import { pageOf } from './lists.ts';
import { addressWithTicket } from './passes.ts';
import { invalidParameter, noSuch } from './refused.ts';
import { type Route, route } from './route.ts';
import { newId, type Shop } from './shop.ts';

const hour = 3600;
const url = z.url({ protocol: /^https?$/ });
const shape = {
  mode: z.literal('subscription'),
  line_items: arrayOf(z.strictObject({ price: text, quantity: wholeNumber.default(1) })),
  success_url: url,
  cancel_url: url.optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  client_reference_id: z.string().max(200).optional(),
  metadata: metadata.optional(),
  discounts: arrayOf(z.strictObject({ promotion_code: text.optional(), coupon: text.optional() })).optional(),
  allow_promotion_codes: flag.optional(),
  payment_method_collection: z.enum(['always', 'if_required']).default('always'),
  payment_method_types: arrayOf(z.literal('card')).optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  locale: z.enum(['auto', 'en']).optional(),
  expires_at: wholeNumber.optional(),
  subscription_data: z
    .strictObject({
      trial_period_days: wholeNumber.optional(),
      trial_settings: z
        .strictObject({ end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']) }) })
        .optional(),
      description: text.optional(),
      metadata: metadata.optional(),
    })
    .optional(),
};
type NewSession = z.infer<z.ZodObject<typeof shape>>;

export const checkoutRoutes: Route[] = [
  route('POST /v1/checkout/sessions', shape, (shop, form) => {
    check(shop, form);
    return openSession(shop, form);
  }),
  route(
    'GET /v1/checkout/sessions',
    {
      ...paging,
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['open', 'complete', 'expired']).optional(),
      created: moments.optional(),
    },
    ({ state }, form) =>
      pageOf(
        Object.values(state.sessions).filter(
          (row) =>
            is(form.customer, row.customer ?? undefined) &&
            is(form.subscription, row.subscription ?? undefined) &&
            is<string | null>(form.status, row.status) &&
            isWithin(row.created, form.created),
        ),
        '/v1/checkout/sessions',
        form,
      ),
  ),
  route('GET /v1/checkout/sessions/:id', {}, (shop, _form, id) => sessionOf(shop, id)),
  route('POST /v1/checkout/sessions/:id/expire', {}, (shop, _form, id) => {
    const session = sessionOf(shop, id);
    if (session.status !== 'open') throw invalidParameter('id', 'Only an open session can expire.', 'resource_missing');
    expireSession(shop, id);
    return session;
  }),
  route('GET /v1/checkout/sessions/:id/line_items', paging, (shop, form, id) => {
    const session = sessionOf(shop, id);
    const { order, price, regular, reduced } = totals(shop, session);
    const line = {
      id: `li_${id.slice(-14)}`,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: regular - reduced,
      amount_subtotal: regular,
      amount_tax: 0,
      amount_total: reduced,
      currency: price.currency,
      description: shop.state.products[price.product]?.name ?? null,
      metadata: null,
      price,
      quantity: order.quantity,
    };
    return pageOf([line], `/v1/checkout/sessions/${id}/line_items`, form);
  }),

  route(
    'POST /v1/billing_portal/sessions',
    { customer: text, return_url: url.optional(), locale: z.enum(['auto', 'en']).optional() },
    (shop, form) => {
      customerOf(shop, form.customer, 'customer');
      const id = newId('bps');
      const portal: PortalSession = {
        id,
        object: 'billing_portal.session',
        configuration: 'bpc_test_shop',
        created: shop.now,
        customer: form.customer,
        customer_account: null,
        flow: null,
        livemode: false,
        locale: null,
        on_behalf_of: null,
        return_url: form.return_url ?? null,
        url: addressWithTicket(shop, 'portal', id),
      };
      shop.state.portals[id] = portal;
      return portal;
    },
  ),
];

export function sessionOf({ state }: Shop, id: string): Session {
  return (Object.hasOwn(state.sessions, id) && state.sessions[id]) || raise(noSuch('checkout session', id));
}

/** Refuses invalid sessions as Stripe would, before anything is created. */
function check(shop: Shop, form: NewSession): void {
  const [line, ...extraLines] = form.line_items;
  if (!line || extraLines.length) throw invalidParameter('line_items', 'One line is sold at a time in this shop.');
  if (!priceOf(shop, line.price, 'line_items[0][price]').active)
    throw invalidParameter('line_items[0][price]', 'This price is not sold any more.');
  if (line.quantity < 1) throw invalidParameter('line_items[0][quantity]', 'At least one is sold.');
  if (form.customer !== undefined) customerOf(shop, form.customer, 'customer');
  if (form.customer !== undefined && form.customer_email !== undefined)
    throw invalidParameter('customer_email', 'A customer has an address already.');
  const [discount, ...extraDiscounts] = form.discounts ?? [];
  if (discount && form.allow_promotion_codes !== undefined) {
    throw invalidParameter('allow_promotion_codes', 'Either there is a discount, or people may type a code.');
  }
  if (extraDiscounts.length || (discount && (discount.coupon === undefined) === (discount.promotion_code === undefined))) {
    throw invalidParameter('discounts', 'One coupon or one promotion code.');
  }
  if (
    discount?.promotion_code !== undefined &&
    !isUsable(shop, promotionCodeOf(shop, discount.promotion_code, 'discounts[0][promotion_code]'))
  ) {
    throw invalidParameter('discounts[0][promotion_code]', 'This promotion code cannot be used any more.');
  }
  if (discount?.coupon !== undefined && !couponOf(shop, discount.coupon, 'discounts[0][coupon]').valid) {
    throw invalidParameter('discounts[0][coupon]', 'This coupon cannot be used any more.');
  }
  const days = form.subscription_data?.trial_period_days ?? 1;
  if (days < 1 || days > 730) throw invalidParameter('subscription_data[trial_period_days]', 'A trial has 1 to 730 days.');
  const lifetime = (form.expires_at ?? shop.now + 24 * hour) - shop.now;
  if (lifetime < hour / 2 || lifetime > 24 * hour) throw invalidParameter('expires_at', 'A session lives from 30 minutes to 24 hours.');
}

/** Opens a payment page, and stores what it sells. */
export function openSession(shop: Shop, form: NewSession): Session {
  const [line] = form.line_items;
  const [discount] = form.discounts ?? [];
  const id = newId('cs_test', 58);
  const { trial_period_days: trial_days = 0, metadata: about } = form.subscription_data ?? {};
  const session = newSession(shop, form, id);
  shop.state.orders[id] = { price: line?.price ?? '', quantity: line?.quantity ?? 1, trial_days, metadata: mergeMetadata({}, about) };
  session.discounts = discount ? [{ coupon: discount.coupon ?? null, promotion_code: discount.promotion_code ?? null }] : [];
  shop.state.sessions[id] = session;
  const { regular, reduced, today, price } = totals(shop, session);
  Object.assign(session, {
    currency: price.currency,
    amount_subtotal: today > 0 ? regular : 0,
    amount_total: today,
    total_details: { amount_discount: today > 0 ? regular - reduced : 0, amount_shipping: 0, amount_tax: 0 },
  } satisfies Partial<Session>);
  return session;
}

function newSession(shop: Shop, form: NewSession, id: string): Session {
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: form.allow_promotion_codes ?? null,
    allowed_payment_method_types: null,
    amount_subtotal: null,
    amount_total: null,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: form.billing_address_collection ?? null,
    cancel_url: form.cancel_url ?? null,
    client_reference_id: form.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: shop.now,
    currency: null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: form.customer ?? null,
    customer_account: null,
    customer_creation: form.customer === undefined ? 'always' : null,
    customer_details: null,
    customer_email: form.customer_email ?? null,
    discounts: [],
    expires_at: form.expires_at ?? shop.now + 24 * hour,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: form.locale ?? null,
    managed_payments: null,
    metadata: mergeMetadata({}, form.metadata),
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: form.payment_method_collection,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: form.success_url,
    total_details: null,
    ui_mode: 'hosted_page',
    url: addressWithTicket(shop, 'checkout', id),
    wallet_options: null,
  };
}
