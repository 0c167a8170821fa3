import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { day, testStripe } from '../testing/stripe.ts';
import { invoice, session, sessionLine } from '../testing/stripe-order-shapes.ts';
import { listOf } from '../testing/stripe-shape-fields.ts';
import * as shapes from '../testing/stripe-shapes.ts';

/** Compares every kind of answer with Stripe's published schema: no missing fields, no extra ones, no wrong types. */

let world: Awaited<ReturnType<typeof testStripe>>;
let plan = { id: '', customer: '', session: '' };
beforeAll(async () => {
  world = await testStripe();
  await sendCall('POST', '/v1/coupons', { id: 'SPRING', percent_off: '25', duration: 'repeating', duration_in_months: '3' });
  await sendCall('POST', '/v1/promotion_codes', { 'promotion[type]': 'coupon', 'promotion[coupon]': 'SPRING', code: 'SPRING' });
  // The test data include a trial, a renewal with a promotion, a price change, a failed payment, and the end.
  plan = await world.buys({ allow_promotion_codes: true, code: 'spring', price: 'price_individual_monthly' });
  await world.turn(15 * day);
  await world.buys({ trial: 0 });
  const { items } = await world.stripe.subscriptions.retrieve(plan.id);
  await world.stripe.subscriptions.update(plan.id, {
    items: [{ id: items.data[0]?.id ?? '', price: 'price_family_monthly' }],
    metadata: { a: '1' },
  });
  const failingPlan = await world.buys({ card: 'fails' });
  await world.turn(23 * day);
  expect((await world.stripe.subscriptions.retrieve(failingPlan.id)).status).toBe('canceled');
  const deletedCustomer = await world.stripe.customers.create({
    email: 'gone@example.org',
    name: 'Gone',
    description: 'x',
    metadata: { a: 'b' },
  });
  await world.stripe.customers.del(deletedCustomer.id);
});
afterAll(() => world.close());

async function sendCall(method: string, path: string, form?: Record<string, string>) {
  const { api_base, secret_key } = world.stripeSimulator.settings;
  const headers = { authorization: `Bearer ${secret_key}` };
  const answer = await fetch(`${api_base}${path}`, { method, headers, ...(form ? { body: new URLSearchParams(form) } : {}) });
  return { status: answer.status, body: (await answer.json()) as { id: string; data: { id: string }[]; error?: object } };
}

const listShape = (itemShape: z.ZodType, name: string) => listOf(itemShape, new RegExp(`^/v1/${name}$`));

test.each<[string, z.ZodType, string]>([
  ['products', listShape(shapes.product, 'products'), '/v1/products'],
  ['prices', listShape(shapes.price, 'prices'), '/v1/prices'],
  ['coupons', listShape(shapes.coupon, 'coupons'), '/v1/coupons'],
  ['promotion codes', listShape(shapes.promotionCode, 'promotion_codes'), '/v1/promotion_codes'],
  ['customers', listShape(shapes.customer, 'customers'), '/v1/customers'],
  ['checkout sessions', listShape(session, 'checkout/sessions'), '/v1/checkout/sessions'],
  ['subscriptions', listShape(shapes.subscription, 'subscriptions'), '/v1/subscriptions?status=all'],
  ['invoices', listShape(invoice, 'invoices'), '/v1/invoices'],
  ['events', listShape(shapes.event, 'events'), '/v1/events'],
])("[P6.2] simulated %s match Stripe's schema, in a list and alone", async (_name, shape, path) => {
  const list = await sendCall('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100`);
  expect(shape.safeParse(list.body).error?.issues).toBeUndefined();
  expect(list.body.data.length).toBeGreaterThan(0);
  const single = await sendCall('GET', `${path.split('?')[0]}/${list.body.data[0]?.id}`);
  expect(single.status).toBe(200);
  expect(single.body).toEqual(list.body.data[0]);
});

test('a simulated event contains the object as Stripe sends it, and previous values of some changed fields', async () => {
  const kinds: Record<string, z.ZodType> = {
    customer: shapes.customer,
    subscription: shapes.subscription,
    invoice,
    'checkout.session': session,
  };
  const events = await world.stripe.events.list({ limit: 100 });
  const eventTypes = new Set<string>();
  for (const { type, data } of events.data) {
    const eventObject = data.object as { object: string };
    eventTypes.add(type);
    expect([type, kinds[eventObject.object]?.safeParse(JSON.parse(JSON.stringify(eventObject))).error?.issues]).toEqual([type, undefined]);
    for (const name of Object.keys(data.previous_attributes ?? {})) expect(eventObject).toHaveProperty(name);
    if (type.endsWith('.updated')) expect(Object.keys(data.previous_attributes ?? {})).not.toEqual([]);
  }
  expect([...eventTypes].sort()).toEqual([
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
    () => sendCall('POST', '/v1/billing_portal/sessions', { customer: plan.customer, return_url: 'http://localhost/x' }),
  ],
  [
    'the lines of a session',
    listShape(sessionLine, 'checkout/sessions/\\w+/line_items'),
    () => sendCall('GET', `/v1/checkout/sessions/${plan.session}/line_items`),
  ],
  ['an unknown thing', shapes.error, () => sendCall('GET', '/v1/prices/price_x')],
  ['an unknown call', shapes.error, () => sendCall('GET', '/v1/unknown')],
  ['a wrong parameter', shapes.error, () => sendCall('POST', '/v1/coupons', { percent_off: 'x' })],
  ['a deleted coupon', shapes.deletedCoupon, () => sendCall('DELETE', '/v1/coupons/SPRING')],
])("the simulator's answer for %s matches Stripe's schema", async (_name, shape, call) => {
  const { body } = (await call()) as { body: unknown };
  expect(shape.safeParse(body).error?.issues).toBeUndefined();
});

test("a discount and a deleted customer match Stripe's schema", async () => {
  const { body } = await sendCall('GET', `/v1/subscriptions/${plan.id}?expand[]=discounts`);
  const [discount] = (body as unknown as { discounts: unknown[] }).discounts;
  expect(shapes.discount.safeParse(discount).error?.issues).toBeUndefined();
  const deletedCustomer = await world.stripe.customers.create({});
  expect(
    shapes.deletedCustomer.safeParse((await sendCall('DELETE', `/v1/customers/${deletedCustomer.id}`)).body).error?.issues,
  ).toBeUndefined();
  expect(
    shapes.deletedCustomer.safeParse((await sendCall('GET', `/v1/customers/${deletedCustomer.id}`)).body).error?.issues,
  ).toBeUndefined();
});
