import type Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { day, testStripe } from '../testing/stripe.ts';

/** Events are compared in the order in which they were sent. */

let world: Awaited<ReturnType<typeof testStripe>>;
let stripe: Stripe;
beforeEach(async () => {
  world = await testStripe();
  stripe = world.stripe;
});
afterEach(() => world.close());

const date = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000).toISOString() : null);
const seconds = () => Math.floor(world.clock.now().getTime() / 1000);
const goTo = (moment: string) => world.turn(new Date(moment).getTime() - world.clock.now().getTime());
async function retrievePlan(id: string) {
  const subscription = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  const [item] = subscription.items.data;
  return {
    sub: subscription,
    start: item?.current_period_start ?? 0,
    end: item?.current_period_end ?? 0,
    invoice: subscription.latest_invoice as Stripe.Invoice,
  };
}

test('a trial of 14 days costs nothing, its end is announced exactly 3 days before, and then the first year is paid', async () => {
  const { id, session } = await world.buys();
  const startTime = seconds();
  expect(await world.told()).toEqual([
    'customer.created',
    'invoice.created',
    'invoice.paid',
    'customer.subscription.created',
    'checkout.session.completed',
  ]);
  const { sub, invoice } = await retrievePlan(id);
  expect([sub.status, sub.trial_start, sub.trial_end]).toEqual(['trialing', startTime, startTime + 14 * 86_400]);
  expect([invoice.amount_due, invoice.status]).toEqual([0, 'paid']);
  expect(await stripe.checkout.sessions.retrieve(session)).toMatchObject({
    status: 'complete',
    payment_status: 'no_payment_required',
    subscription: id,
  });
  await world.turn(11 * day - 1000);
  expect(await world.told()).toEqual([]);
  await world.turn(1000);
  expect(await world.told()).toEqual(['customer.subscription.trial_will_end']);
  await world.turn(3 * day - 1000);
  expect(await world.told()).toEqual([]);
  await world.turn(1000);
  expect(await world.told()).toEqual(['invoice.created', 'invoice.paid', 'customer.subscription.updated']);
  const paidPlan = await retrievePlan(id);
  expect(paidPlan.sub.status).toBe('active');
  expect(paidPlan.invoice).toMatchObject({ amount_paid: 15_999, status: 'paid', billing_reason: 'subscription_cycle' });
  expect([paidPlan.start, date(paidPlan.end)?.slice(0, 10)]).toEqual([startTime + 14 * 86_400, '2027-12-05']);
});

test('a monthly plan of 31 January renews on the last day of February and on 31 March', async () => {
  await goTo('2027-01-31T10:00:00.000Z');
  const { id } = await world.buys({ price: 'price_individual_monthly', trial: 0 });
  const periodEnds: (string | null)[] = [];
  for (const nextDate of ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']) {
    periodEnds.push(date((await retrievePlan(id)).end));
    await goTo(`${nextDate}T10:00:00.000Z`);
  }
  expect(periodEnds).toEqual([
    '2027-02-28T10:00:00.000Z',
    '2027-03-31T10:00:00.000Z',
    '2027-04-30T10:00:00.000Z',
    '2027-05-31T10:00:00.000Z',
  ]);
  const invoices = await stripe.invoices.list({ subscription: id, limit: 100 });
  expect(invoices.data.map(({ amount_paid, status }) => [amount_paid, status])).toEqual(Array(5).fill([999, 'paid']));
});

test('a yearly plan of 29 February renews on 28 February', async () => {
  await goTo('2028-02-29T12:00:00.000Z');
  const { id } = await world.buys({ trial: 0 });
  expect(date((await retrievePlan(id)).end)).toBe('2029-02-28T12:00:00.000Z');
});

test('a failed payment is retried 3, 5 and 8 days after the invoice, and then the plan ends', async () => {
  const { id } = await world.buys({ card: 'fails' });
  await world.turn(14 * day);
  const types = await world.told();
  expect(types.slice(-3)).toEqual(['invoice.created', 'invoice.payment_failed', 'customer.subscription.updated']);
  expect((await retrievePlan(id)).sub.status).toBe('past_due');
  const due = (await retrievePlan(id)).invoice;
  expect([due.attempt_count, due.amount_remaining, due.next_payment_attempt]).toEqual([1, 15_999, due.created + 3 * 86_400]);
  await world.turn(3 * day - 1000);
  expect(await world.told()).toEqual([]);
  await world.turn(1000);
  expect(await world.told()).toEqual(['invoice.payment_failed']);
  await world.turn(2 * day);
  expect(await world.told()).toEqual(['invoice.payment_failed']);
  expect((await retrievePlan(id)).sub.status).toBe('past_due');
  await world.turn(3 * day);
  expect(await world.told()).toEqual(['invoice.payment_failed', 'customer.subscription.deleted']);
  const { sub, invoice } = await retrievePlan(id);
  expect([sub.status, sub.ended_at, sub.cancellation_details?.reason]).toEqual(['canceled', seconds(), 'payment_failed']);
  expect([invoice.status, invoice.next_payment_attempt, invoice.attempt_count]).toEqual(['open', null, 4]);
});

test('a successful retry makes the plan active again', async () => {
  const { id, customer } = await world.buys({ card: 'fails' });
  await world.turn(14 * day);
  await world.told();
  await world.stripeSimulator.at(({ state }) => {
    state.failing_cards = state.failing_cards.filter((one) => one !== customer);
  });
  await world.turn(3 * day);
  expect(await world.told()).toEqual(['invoice.paid', 'customer.subscription.updated']);
  expect((await retrievePlan(id)).sub.status).toBe('active');
});

test('after a long pause, overdue changes of subscriptions happen in order, each event with its own time', async () => {
  const { id } = await world.buys({ price: 'price_individual_monthly' });
  const startTime = seconds();
  await world.told();
  await world.buys({ price: 'price_family_monthly', trial: 13 });
  await world.told();
  await world.turn(60 * day);
  const events = world.sent.map(({ body }) => JSON.parse(body) as { type: string; created: number });
  expect(events.map(({ created }) => created)).toEqual(events.map(({ created }) => created).sort((a, b) => a - b));
  expect(events.slice(0, 2)).toMatchObject([
    { type: 'customer.subscription.trial_will_end', created: startTime + 10 * 86_400 },
    { type: 'customer.subscription.trial_will_end', created: startTime + 11 * 86_400 },
  ]);
  expect(events.filter(({ type }) => type === 'invoice.paid')).toHaveLength(4);
  expect((await retrievePlan(id)).sub.status).toBe('active');
});

test('a cancelled plan ends with its period, unless the cancellation is revoked', async () => {
  const { id } = await world.buys({ price: 'price_individual_monthly', trial: 0 });
  const { end } = await retrievePlan(id);
  expect(await stripe.subscriptions.update(id, { cancel_at_period_end: true })).toMatchObject({
    cancel_at: end,
    canceled_at: seconds(),
    status: 'active',
  });
  expect(await stripe.subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({ cancel_at: null, canceled_at: null });
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await world.told();
  await world.turn((end - seconds()) * 1000 - 1000);
  expect((await retrievePlan(id)).sub.status).toBe('active');
  await world.turn(1000);
  expect(await world.told()).toEqual(['customer.subscription.deleted']);
  expect((await retrievePlan(id)).sub).toMatchObject({
    status: 'canceled',
    ended_at: end,
    cancellation_details: { reason: 'cancellation_requested' },
  });
});

test('ending a trial takes the first payment; cancelling at once ends the plan', async () => {
  const { id } = await world.buys();
  await world.told();
  expect(await stripe.subscriptions.update(id, { trial_end: 'now' })).toMatchObject({ status: 'active', trial_end: seconds() });
  expect(await world.told()).toEqual(
    expect.arrayContaining(['customer.subscription.trial_will_end', 'invoice.paid', 'customer.subscription.updated']),
  );
  expect((await retrievePlan(id)).invoice.amount_paid).toBe(15_999);
  expect(await stripe.subscriptions.cancel(id)).toMatchObject({ status: 'canceled', ended_at: seconds() });
  expect(await world.told()).toEqual(['customer.subscription.deleted']);
});

test.each([
  ['25 percent, forever', { percent_off: 25, duration: 'forever' }, [749, 749, 749, 749]],
  ['$4.00, for 2 months', { amount_off: 400, currency: 'usd', duration: 'repeating', duration_in_months: 2 }, [599, 599, 999, 999]],
  ['half, once', { percent_off: 50, duration: 'once' }, [499, 999, 999, 999]],
  ['more than it costs, once', { amount_off: 5000, currency: 'usd', duration: 'once' }, [0, 999, 999, 999]],
] as const)('a coupon takes off %s, in whole cents', async (_what, discountText, amounts) => {
  const coupon = await stripe.coupons.create(discountText);
  const promotion = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id } });
  const { id } = await world.buys({ price: 'price_individual_monthly', trial: 0, discounts: [{ promotion_code: promotion.id }] });
  for (let n = 0; n < 3; n++) await world.turn(((await retrievePlan(id)).end - seconds()) * 1000);
  const invoices = (await stripe.invoices.list({ subscription: id })).data.reverse();
  expect(invoices.map(({ amount_paid }) => amount_paid)).toEqual(amounts);
  expect(invoices[0]).toMatchObject({ subtotal: 999, total: amounts[0], total_discount_amounts: [{ amount: 999 - (amounts[0] ?? 0) }] });
});

test('changing the price of a plan costs the difference for the rest of the period, and changing the interval starts a new period', async () => {
  const { id, customer } = await world.buys({ price: 'price_individual_yearly', trial: 0 });
  const change = async (price: string) => {
    const item = (await stripe.subscriptions.retrieve(id)).items.data[0]?.id ?? '';
    return stripe.subscriptions.update(id, { items: [{ id: item, price }] });
  };
  const { end, start } = await retrievePlan(id);
  await world.turn(((end - start) / 2) * 1000);
  expect((await change('price_family_yearly')).items.data[0]?.price.id).toBe('price_family_yearly');
  const halfYear = await retrievePlan(id);
  expect([halfYear.invoice.amount_paid, halfYear.end]).toEqual([4000, end]);
  await change('price_family_monthly');
  expect((await retrievePlan(id)).end).toBeLessThan(end);
  // The unused half year becomes credit, which pays the following months.
  expect(((await stripe.customers.retrieve(customer)) as Stripe.Customer).balance).toBe(1999 - 8000);
  await world.turn(31 * day);
  expect((await retrievePlan(id)).invoice).toMatchObject({ amount_due: 0, total: 1999, status: 'paid' });
});

test('changing the price during a trial costs nothing', async () => {
  const { id } = await world.buys();
  const item = (await stripe.subscriptions.retrieve(id)).items.data[0]?.id ?? '';
  const changedPlan = await stripe.subscriptions.update(id, { items: [{ id: item, price: 'price_individual_monthly' }] });
  expect(changedPlan).toMatchObject({ status: 'trialing', items: { data: [{ price: { id: 'price_individual_monthly' } }] } });
  expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
});

test('without a status filter, a list of subscriptions contains no ended plans', async () => {
  const { id, customer } = await world.buys();
  await stripe.subscriptions.cancel(id);
  expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
  expect((await stripe.subscriptions.list({ customer, status: 'trialing' })).data).toEqual([]);
});
