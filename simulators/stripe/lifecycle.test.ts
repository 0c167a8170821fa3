import type Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { day, testStripe } from '../testing/stripe.ts';

/** What happens to a subscription as time passes. Events are compared in the order in which they were told. */

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
/** The subscription with its period, and its newest invoice. */
async function look(id: string) {
  const sub = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  const [item] = sub.items.data;
  return { sub, start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0, invoice: sub.latest_invoice as Stripe.Invoice };
}

test('a trial of 14 days costs nothing, is announced exactly 3 days before its end, and then the first year is paid', async () => {
  const { id, session } = await world.buys();
  const begun = seconds();
  expect(await world.told()).toEqual([
    'customer.created',
    'invoice.created',
    'invoice.paid',
    'customer.subscription.created',
    'checkout.session.completed',
  ]);
  const { sub, invoice } = await look(id);
  expect([sub.status, sub.trial_start, sub.trial_end]).toEqual(['trialing', begun, begun + 14 * 86_400]);
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
  const paid = await look(id);
  expect(paid.sub.status).toBe('active');
  expect(paid.invoice).toMatchObject({ amount_paid: 15_999, status: 'paid', billing_reason: 'subscription_cycle' });
  expect([paid.start, date(paid.end)?.slice(0, 10)]).toEqual([begun + 14 * 86_400, '2027-12-05']);
});

test('a monthly plan renews by the calendar: after 31 January comes the last of February, and then the 31st again', async () => {
  await goTo('2027-01-31T10:00:00.000Z');
  const { id } = await world.buys({ price: 'price_individual_monthly', trial: 0 });
  const ends: (string | null)[] = [];
  for (const next of ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']) {
    ends.push(date((await look(id)).end));
    await goTo(`${next}T10:00:00.000Z`);
  }
  expect(ends).toEqual(['2027-02-28T10:00:00.000Z', '2027-03-31T10:00:00.000Z', '2027-04-30T10:00:00.000Z', '2027-05-31T10:00:00.000Z']);
  const invoices = await stripe.invoices.list({ subscription: id, limit: 100 });
  expect(invoices.data.map(({ amount_paid, status }) => [amount_paid, status])).toEqual(Array(5).fill([999, 'paid']));
});

test('a leap day is a year later the 28th of February', async () => {
  await goTo('2028-02-29T12:00:00.000Z');
  const { id } = await world.buys({ trial: 0 });
  expect(date((await look(id)).end)).toBe('2029-02-28T12:00:00.000Z');
});

test('a payment that fails is tried again after 3, 5 and 8 days, and then the plan ends', async () => {
  const { id } = await world.buys({ card: 'fails' });
  await world.turn(14 * day);
  const types = await world.told();
  expect(types.slice(-3)).toEqual(['invoice.created', 'invoice.payment_failed', 'customer.subscription.updated']);
  expect((await look(id)).sub.status).toBe('past_due');
  const due = (await look(id)).invoice;
  expect([due.attempt_count, due.amount_remaining, due.next_payment_attempt]).toEqual([1, 15_999, due.created + 3 * 86_400]);
  await world.turn(3 * day - 1000);
  expect(await world.told()).toEqual([]);
  await world.turn(1000);
  expect(await world.told()).toEqual(['invoice.payment_failed']);
  await world.turn(2 * day);
  expect(await world.told()).toEqual(['invoice.payment_failed']);
  expect((await look(id)).sub.status).toBe('past_due');
  await world.turn(3 * day);
  expect(await world.told()).toEqual(['invoice.payment_failed', 'customer.subscription.deleted']);
  const { sub, invoice } = await look(id);
  expect([sub.status, sub.ended_at, sub.cancellation_details?.reason]).toEqual(['canceled', seconds(), 'payment_failed']);
  expect([invoice.status, invoice.next_payment_attempt, invoice.attempt_count]).toEqual(['open', null, 4]);
});

test('a payment that works the second time makes the plan good again', async () => {
  const { id, customer } = await world.buys({ card: 'fails' });
  await world.turn(14 * day);
  await world.told();
  await world.stripeSimulator.at(({ state }) => {
    state.failing_cards = state.failing_cards.filter((one) => one !== customer);
  });
  await world.turn(3 * day);
  expect(await world.told()).toEqual(['invoice.paid', 'customer.subscription.updated']);
  expect((await look(id)).sub.status).toBe('active');
});

test('what was left for a long time happens in the order of its time, each event at its own moment', async () => {
  const { id } = await world.buys({ price: 'price_individual_monthly' });
  const begun = seconds();
  await world.told();
  await world.buys({ price: 'price_family_monthly', trial: 13 });
  await world.told();
  await world.turn(60 * day);
  const told = world.sent.map(({ body }) => JSON.parse(body) as { type: string; created: number });
  expect(told.map(({ created }) => created)).toEqual(told.map(({ created }) => created).sort((a, b) => a - b));
  expect(told.slice(0, 2)).toMatchObject([
    { type: 'customer.subscription.trial_will_end', created: begun + 10 * 86_400 },
    { type: 'customer.subscription.trial_will_end', created: begun + 11 * 86_400 },
  ]);
  expect(told.filter(({ type }) => type === 'invoice.paid')).toHaveLength(4);
  expect((await look(id)).sub.status).toBe('active');
});

test('a plan ends with its period when that was asked for, and goes on when that was taken back', async () => {
  const { id } = await world.buys({ price: 'price_individual_monthly', trial: 0 });
  const { end } = await look(id);
  expect(await stripe.subscriptions.update(id, { cancel_at_period_end: true })).toMatchObject({
    cancel_at: end,
    canceled_at: seconds(),
    status: 'active',
  });
  expect(await stripe.subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({ cancel_at: null, canceled_at: null });
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await world.told();
  await world.turn((end - seconds()) * 1000 - 1000);
  expect((await look(id)).sub.status).toBe('active');
  await world.turn(1000);
  expect(await world.told()).toEqual(['customer.subscription.deleted']);
  expect((await look(id)).sub).toMatchObject({
    status: 'canceled',
    ended_at: end,
    cancellation_details: { reason: 'cancellation_requested' },
  });
});

test('a trial can be ended now, which takes the first payment; ended at once, a plan is over', async () => {
  const { id } = await world.buys();
  await world.told();
  expect(await stripe.subscriptions.update(id, { trial_end: 'now' })).toMatchObject({ status: 'active', trial_end: seconds() });
  expect(await world.told()).toEqual(
    expect.arrayContaining(['customer.subscription.trial_will_end', 'invoice.paid', 'customer.subscription.updated']),
  );
  expect((await look(id)).invoice.amount_paid).toBe(15_999);
  expect(await stripe.subscriptions.cancel(id)).toMatchObject({ status: 'canceled', ended_at: seconds() });
  expect(await world.told()).toEqual(['customer.subscription.deleted']);
});

test.each([
  ['25 percent, forever', { percent_off: 25, duration: 'forever' }, [749, 749, 749, 749]],
  ['$4.00, for 2 months', { amount_off: 400, currency: 'usd', duration: 'repeating', duration_in_months: 2 }, [599, 599, 999, 999]],
  ['half, once', { percent_off: 50, duration: 'once' }, [499, 999, 999, 999]],
  ['more than it costs, once', { amount_off: 5000, currency: 'usd', duration: 'once' }, [0, 999, 999, 999]],
] as const)('a coupon takes off %s, in whole cents', async (_what, off, amounts) => {
  const coupon = await stripe.coupons.create(off);
  const promotion = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id } });
  const { id } = await world.buys({ price: 'price_individual_monthly', trial: 0, discounts: [{ promotion_code: promotion.id }] });
  for (let n = 0; n < 3; n++) await world.turn(((await look(id)).end - seconds()) * 1000);
  const invoices = (await stripe.invoices.list({ subscription: id })).data.reverse();
  expect(invoices.map(({ amount_paid }) => amount_paid)).toEqual(amounts);
  expect(invoices[0]).toMatchObject({ subtotal: 999, total: amounts[0], total_discount_amounts: [{ amount: 999 - (amounts[0] ?? 0) }] });
});

test('another price costs the difference for what is left of the period, and another interval begins a new one', async () => {
  const { id, customer } = await world.buys({ price: 'price_individual_yearly', trial: 0 });
  const change = async (price: string) => {
    const item = (await stripe.subscriptions.retrieve(id)).items.data[0]?.id ?? '';
    return stripe.subscriptions.update(id, { items: [{ id: item, price }] });
  };
  const { end, start } = await look(id);
  await world.turn(((end - start) / 2) * 1000);
  expect((await change('price_family_yearly')).items.data[0]?.price.id).toBe('price_family_yearly');
  const half = await look(id);
  expect([half.invoice.amount_paid, half.end]).toEqual([4000, end]);
  await change('price_family_monthly');
  expect((await look(id)).end).toBeLessThan(end);
  // Half a year of the dear plan comes back as credit, and pays the months that follow.
  expect(((await stripe.customers.retrieve(customer)) as Stripe.Customer).balance).toBe(1999 - 8000);
  await world.turn(31 * day);
  expect((await look(id)).invoice).toMatchObject({ amount_due: 0, total: 1999, status: 'paid' });
});

test('in a trial another price costs nothing', async () => {
  const { id } = await world.buys();
  const item = (await stripe.subscriptions.retrieve(id)).items.data[0]?.id ?? '';
  const changed = await stripe.subscriptions.update(id, { items: [{ id: item, price: 'price_individual_monthly' }] });
  expect(changed).toMatchObject({ status: 'trialing', items: { data: [{ price: { id: 'price_individual_monthly' } }] } });
  expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
});

test('without a status, ended plans are not listed', async () => {
  const { id, customer } = await world.buys();
  await stripe.subscriptions.cancel(id);
  expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
  expect((await stripe.subscriptions.list({ customer, status: 'trialing' })).data).toEqual([]);
});
