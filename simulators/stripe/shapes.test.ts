import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { day, testStripe } from '../testing/stripe.ts';
import { invoice, session, sessionLine } from '../testing/stripe-order-shapes.ts';
import { listOf } from '../testing/stripe-shape-parts.ts';
import * as shapes from '../testing/stripe-shapes.ts';

/** Every kind of answer, as it stands on the wire, against what Stripe promises about it: no field too few, none too many, none of another kind. */

let world: Awaited<ReturnType<typeof testStripe>>;
let plan = { id: '', customer: '', session: '' };
beforeAll(async () => {
  world = await testStripe();
  await ask('POST', '/v1/coupons', { id: 'SPRING', percent_off: '25', duration: 'repeating', duration_in_months: '3' });
  await ask('POST', '/v1/promotion_codes', { 'promotion[type]': 'coupon', 'promotion[coupon]': 'SPRING', code: 'SPRING' });
  // One life with everything in it: a trial, a renewal with a promotion, a change of price, a payment that fails, the end.
  plan = await world.buys({ allow_promotion_codes: true, code: 'spring', price: 'price_individual_monthly' });
  await world.turn(15 * day);
  await world.buys({ trial: 0 });
  const { items } = await world.stripe.subscriptions.retrieve(plan.id);
  await world.stripe.subscriptions.update(plan.id, {
    items: [{ id: items.data[0]?.id ?? '', price: 'price_family_monthly' }],
    metadata: { a: '1' },
  });
  const failing = await world.buys({ card: 'fails' });
  await world.turn(23 * day);
  expect((await world.stripe.subscriptions.retrieve(failing.id)).status).toBe('canceled');
  const gone = await world.stripe.customers.create({ email: 'gone@example.org', name: 'Gone', description: 'x', metadata: { a: 'b' } });
  await world.stripe.customers.del(gone.id);
});
afterAll(() => world.close());

async function ask(method: string, path: string, form?: Record<string, string>) {
  const { api_base, secret_key } = world.stripeSimulator.settings;
  const headers = { authorization: `Bearer ${secret_key}` };
  const answer = await fetch(`${api_base}${path}`, { method, headers, ...(form ? { body: new URLSearchParams(form) } : {}) });
  return { status: answer.status, body: (await answer.json()) as { id: string; data: { id: string }[]; error?: object } };
}

const each = (of: z.ZodType, name: string) => listOf(of, new RegExp(`^/v1/${name}$`));

test.each<[string, z.ZodType, string]>([
  ['products', each(shapes.product, 'products'), '/v1/products'],
  ['prices', each(shapes.price, 'prices'), '/v1/prices'],
  ['coupons', each(shapes.coupon, 'coupons'), '/v1/coupons'],
  ['promotion codes', each(shapes.promotionCode, 'promotion_codes'), '/v1/promotion_codes'],
  ['customers', each(shapes.customer, 'customers'), '/v1/customers'],
  ['checkout sessions', each(session, 'checkout/sessions'), '/v1/checkout/sessions'],
  ['subscriptions', each(shapes.subscription, 'subscriptions'), '/v1/subscriptions?status=all'],
  ['invoices', each(invoice, 'invoices'), '/v1/invoices'],
  ['events', each(shapes.event, 'events'), '/v1/events'],
])('[P6.2] %s are what Stripe promises, in a list and alone', async (_name, shape, path) => {
  const list = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100`);
  expect(shape.safeParse(list.body).error?.issues).toBeUndefined();
  expect(list.body.data.length).toBeGreaterThan(0);
  const one = await ask('GET', `${path.split('?')[0]}/${list.body.data[0]?.id}`);
  expect(one.status).toBe(200);
  expect(one.body).toEqual(list.body.data[0]);
});

test('what an event is about is the thing as Stripe sends it, and what it was before is some of its fields', async () => {
  const kinds: Record<string, z.ZodType> = {
    customer: shapes.customer,
    subscription: shapes.subscription,
    invoice,
    'checkout.session': session,
  };
  const events = await world.stripe.events.list({ limit: 100 });
  const seen = new Set<string>();
  for (const { type, data } of events.data) {
    const thing = data.object as { object: string };
    seen.add(type);
    expect([type, kinds[thing.object]?.safeParse(JSON.parse(JSON.stringify(thing))).error?.issues]).toEqual([type, undefined]);
    for (const name of Object.keys(data.previous_attributes ?? {})) expect(thing).toHaveProperty(name);
    if (type.endsWith('.updated')) expect(Object.keys(data.previous_attributes ?? {})).not.toEqual([]);
  }
  expect([...seen].sort()).toEqual([
    'checkout.session.completed',
    'customer.created',
    'customer.deleted',
    'customer.subscription.created',
    'customer.subscription.deleted',
    'customer.subscription.trial_will_end',
    'customer.subscription.updated',
    'invoice.created',
    'invoice.paid',
    'invoice.payment_failed',
  ]);
});

test.each<[string, z.ZodType, () => Promise<unknown>]>([
  [
    'the portal',
    shapes.portalSession,
    () => ask('POST', '/v1/billing_portal/sessions', { customer: plan.customer, return_url: 'http://localhost/x' }),
  ],
  [
    'the lines of a session',
    each(sessionLine, 'checkout/sessions/\\w+/line_items'),
    () => ask('GET', `/v1/checkout/sessions/${plan.session}/line_items`),
  ],
  ['an unknown thing', shapes.error, () => ask('GET', '/v1/prices/price_x')],
  ['an unknown call', shapes.error, () => ask('GET', '/v1/unknown')],
  ['a wrong parameter', shapes.error, () => ask('POST', '/v1/coupons', { percent_off: 'x' })],
  ['a deleted coupon', shapes.deletedCoupon, () => ask('DELETE', '/v1/coupons/SPRING')],
])('%s is what Stripe promises', async (_name, shape, call) => {
  const { body } = (await call()) as { body: unknown };
  expect(shape.safeParse(body).error?.issues).toBeUndefined();
});

test('a discount and a deleted customer are what Stripe promises', async () => {
  const { body } = await ask('GET', `/v1/subscriptions/${plan.id}?expand[]=discounts`);
  const [discount] = (body as unknown as { discounts: unknown[] }).discounts;
  expect(shapes.discount.safeParse(discount).error?.issues).toBeUndefined();
  const gone = await world.stripe.customers.create({});
  expect(shapes.deletedCustomer.safeParse((await ask('DELETE', `/v1/customers/${gone.id}`)).body).error?.issues).toBeUndefined();
  expect(shapes.deletedCustomer.safeParse((await ask('GET', `/v1/customers/${gone.id}`)).body).error?.issues).toBeUndefined();
});
