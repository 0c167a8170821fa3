import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from './world.ts';

/** The pages of the test shop, each button as one POST. */

let server: TestServer;
let stripe: Stripe;
beforeAll(async () => {
  server = await testServer();
  stripe = server.payments.stripe;
});
afterAll(() => server.close());

const day = 86_400_000;
const back = 'http://localhost:4380/dashboard/stripe';
const withKey = () => ({ host: 'localhost:4380', cookie: `simulators_key=${server.simulator_key}` });
const open = (url: string, { headers = withKey(), ...more }: { headers?: Record<string, string>; method?: 'POST' } = {}) =>
  server.app.http.inject({ url, headers, ...more });
const press = async (page: string, form: Record<string, string> = {}) => {
  const headers = { ...withKey(), 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  return server.app.http.inject({ method: 'POST', url: page, headers, payload: new URLSearchParams(form).toString() });
};
const pathOf = (url: string | null) => new URL(url ?? '').pathname;

async function order(more: Partial<Stripe.Checkout.SessionCreateParams> & { trial?: number; price?: string } = {}) {
  const { trial = 14, price = 'price_family_yearly', ...rest } = more;
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price, quantity: 1 }],
    success_url: `${back}/success?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${back}/cancel`,
    ...(trial ? { subscription_data: { trial_period_days: trial } } : {}),
    ...rest,
  });
  return { id: session.id, page: pathOf(session.url), url: session.url ?? '' };
}

/** Someone with a plan, and the page of their portal. */
async function portal(more: Parameters<typeof order>[0] = {}) {
  const { id, page } = await order(more);
  await press(`${page}/pay`);
  const { customer, subscription } = await stripe.checkout.sessions.retrieve(id);
  const { url } = await stripe.billingPortal.sessions.create({ customer: String(customer), return_url: back });
  const sub = () => stripe.subscriptions.retrieve(String(subscription), { expand: ['latest_invoice'] });
  return { page: pathOf(url), url, sub };
}

test('[P6.2] the checkout says that nothing is charged, and what is bought, for how much, from when', async () => {
  const { page } = await order();
  const { body, headers } = await open(page);
  for (const words of [
    'This is a test checkout. Nothing is charged.',
    '$159.99 a year',
    '14 days',
    'Due today</dt><dd>$0.00',
    'Start trial',
  ]) {
    expect(body).toContain(words);
  }
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain("form-action 'self' http://localhost:4380;");
  for (const form of body.split('<form').slice(1)) expect(form.split('</form>')[0]?.match(/<button/g)).toHaveLength(1);
});

test('paying is one POST, after which the plan is there and the person is where they came from; a second press buys nothing more', async () => {
  const { id, page } = await order();
  const paid = await press(`${page}/pay`);
  expect([paid.statusCode, paid.headers.location]).toEqual([303, `${back}/success?session=${id}`]);
  expect(await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] })).toMatchObject({
    status: 'complete',
    subscription: { status: 'trialing' },
  });
  const again = await press(`${page}/pay`);
  expect([again.statusCode, again.body.includes('This order is done already.')]).toEqual([422, true]);
  const { customer } = await stripe.checkout.sessions.retrieve(id);
  expect((await stripe.subscriptions.list({ customer: String(customer), status: 'all' })).data).toHaveLength(1);
});

test('going back buys nothing', async () => {
  const { id, page } = await order();
  const left = await press(`${page}/back`);
  expect([left.statusCode, left.headers.location]).toEqual([303, `${back}/cancel`]);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open', subscription: null });
});

test('a code can be typed where none was given: a wrong one is named and stays in its field, a right one is taken off', async () => {
  const coupon = await stripe.coupons.create({ amount_off: 1000, currency: 'usd', duration: 'repeating', duration_in_months: 3 });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'SPRING' });
  const { id, page } = await order({ allow_promotion_codes: true, trial: 0 });
  expect((await open(page)).body).toContain('name="promotion_code"');
  const wrong = await press(`${page}/pay`, { promotion_code: '<b>WINTER' });
  expect(wrong.statusCode).toBe(422);
  expect(wrong.body).toContain('role="alert" id="problem">The code “&#60;b&#62;WINTER” cannot be used.');
  expect(wrong.body).toContain('value="&#60;b&#62;WINTER"');
  expect((await press(`${page}/pay`, { promotion_code: ' spring ' })).statusCode).toBe(303);
  expect(await stripe.checkout.sessions.retrieve(id, { expand: ['invoice'] })).toMatchObject({
    amount_total: 14_999,
    payment_status: 'paid',
    invoice: { amount_paid: 14_999 },
  });
});

test('a promotion that came with the order is shown, and leaves no field for another', async () => {
  const coupon = await stripe.coupons.create({ percent_off: 25, duration: 'forever' });
  const { body } = await open((await order({ discounts: [{ coupon: coupon.id }] })).page);
  expect(body).toContain('$119.99 a year for as long as it runs');
  expect(body).not.toContain('promotion_code');
});

test('a card that is declined pays nothing and can be tried again; one that fails later begins a trial', async () => {
  const { id, page } = await order({ trial: 0 });
  const declined = await press(`${page}/pay-failing`);
  expect([declined.statusCode, declined.body.includes('This card was declined. Nothing was paid.')]).toEqual([422, true]);
  expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open');
  expect((await press(`${page}/pay`)).statusCode).toBe(303);
  const later = await order();
  expect((await press(`${later.page}/pay-failing`)).statusCode).toBe(303);
  server.clock.turn(14 * day);
  expect(await stripe.checkout.sessions.retrieve(later.id, { expand: ['subscription'] })).toMatchObject({
    subscription: { status: 'past_due' },
  });
});

test('the portal walks every state, each by one POST', async () => {
  const { page, sub } = await portal();
  const does = async (button: string, form: Record<string, string> = {}) => {
    const { statusCode, headers } = await press(`${page}/${button}`, form);
    expect([button, statusCode, headers.location]).toEqual([button, 303, page]);
    const { status, cancel_at_period_end: ends, items } = await sub();
    return { status, ends, price: items.data[0]?.price.id, says: (await open(page)).body };
  };
  expect(await does('price', { price: 'price_individual_monthly' })).toMatchObject({
    status: 'trialing',
    price: 'price_individual_monthly',
  });
  const ending = await does('cancel');
  expect([ending.ends, ending.says.includes('and is not renewed')]).toEqual([true, true]);
  expect(await does('resume')).toMatchObject({ ends: false, status: 'trialing' });
  expect((await does('card-fails')).says).toContain('The card fails.');
  expect(await does('card-works')).toMatchObject({ status: 'trialing' });
  const paid = await does('end-trial');
  expect([paid.status, paid.says.includes('then it renews')]).toEqual(['active', true]);
  const failed = await does('fail-now');
  expect([failed.status, failed.says.includes('The last payment of $9.99 did not go through.')]).toEqual(['past_due', true]);
  expect(await does('card-works')).toMatchObject({ status: 'active' });
  expect((await sub()).latest_invoice).toMatchObject({ status: 'paid', amount_paid: 999 });
  const over = await does('end-now');
  expect([over.status, over.says.includes('The plan ended on')]).toEqual(['canceled', true]);
  expect((await press(`${page}/resume`)).statusCode).toBe(404);
  expect((await press(`${page}/back`)).headers.location).toBe(back);
});

test('what stands in a name is no markup', async () => {
  await stripe.products.update('prod_dev', { name: '<script>x</script>' });
  const { body } = await open((await order({ price: 'price_dev_monthly' })).page);
  expect(body).toContain('&#60;script&#62;');
  expect(body).not.toContain('<script>');
});

test('events can be held back and let go on the page of the shop', async () => {
  const told = async () => (await stripe.events.list({ type: 'customer.created', limit: 1 })).data[0]?.id ?? '';
  const waits = async (id: string) => server.stripeSimulator.at(({ state }) => id in state.deliveries);
  expect((await press('/dev/payments/hold')).statusCode).toBe(303);
  await stripe.customers.create({});
  await server.stripeSimulator.deliver();
  expect(await waits(await told())).toBe(true);
  expect((await open('/dev/payments')).body).toContain('Events are held back. 1 event waits.');
  await press('/dev/payments/release');
  expect(await waits(await told())).toBe(false);
});

test.each([
  ['from this computer', {}],
  ['through a proxy that says nothing of itself', { 'x-real-ip': '192.0.2.7' }],
  ['with a wrong key', { cookie: `simulators_key=${'x'.repeat(43)}` }],
  ['with an empty key', { cookie: 'simulators_key=' }],
])('[P14.3] A6: without the key the test shop is not there, %s', async (_how, more) => {
  const headers = { host: 'localhost:4380', ...more };
  const { page } = await order();
  const own = await portal();
  const pages = ['/dev/payments', page, own.page];
  const buttons = ['/dev/payments/hold', `${page}/pay`, `${page}/back`, `${own.page}/end-now`, `${own.page}/back`];
  for (const url of pages) expect((await open(url, { headers })).statusCode).toBe(404);
  for (const url of buttons) expect((await open(url, { headers, method: 'POST' })).statusCode).toBe(404);
  for (const url of pages) expect((await open(url)).statusCode).toBe(200);
});

test('[P14.3] A6: the address of a checkout opens that checkout and nothing else, once', async () => {
  const [mine, other] = [await order(), await order()];
  const first = await open(mine.url, { headers: {} });
  expect([first.statusCode, first.headers.location]).toEqual([303, mine.page]);
  const given = String(first.headers['set-cookie']);
  expect(given).toMatch(new RegExp(`^simulator_checkout=[\\w-]{32}; Path=${mine.page}; HttpOnly; SameSite=Strict$`));
  const headers = { cookie: given.split(';')[0] ?? '' };
  expect((await open(mine.page, { headers })).body).toContain('Start trial');
  // The ticket is used up for everybody else, and does no harm to who used it.
  expect((await open(mine.url, { headers: {} })).statusCode).toBe(404);
  expect((await open(mine.url, { headers })).statusCode).toBe(303);
  for (const url of ['/dev/payments', '/dev/mailbox', '/dev/mailbox.json', other.page]) {
    expect((await open(url, { headers })).statusCode).toBe(404);
  }
  expect((await open(`${other.page}?ticket=${new URL(mine.url).searchParams.get('ticket')}`, { headers })).statusCode).toBe(404);
  expect((await open(`${other.page}/pay`, { headers, method: 'POST' })).statusCode).toBe(404);
  expect((await stripe.checkout.sessions.retrieve(other.id)).status).toBe('open');
  // Whoever asks again, from another browser, gets an address that opens.
  const again = (await stripe.checkout.sessions.retrieve(mine.id)).url ?? '';
  expect(again).not.toBe(mine.url);
  expect((await open(again, { headers: {} })).statusCode).toBe(303);
  expect(
    (await open(`${mine.page}/pay`, { headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' }, method: 'POST' }))
      .statusCode,
  ).toBe(303);
});

test('[P14.3] A6: the address of a portal opens that portal and no other', async () => {
  const [mine, other] = [await portal(), await portal()];
  const { headers: answered } = await open(mine.url, { headers: {} });
  const headers = { cookie: String(answered['set-cookie']).split(';')[0] ?? '' };
  expect((await open(mine.page, { headers })).body).toContain('This is a test portal');
  expect((await open(other.page, { headers })).statusCode).toBe(404);
  expect((await open(`${other.page}/end-now`, { headers, method: 'POST' })).statusCode).toBe(404);
  expect(await other.sub()).toMatchObject({ status: 'trialing' });
  expect((await open(`${mine.page}/end-now`, { headers, method: 'POST' })).statusCode).toBe(303);
  expect(await mine.sub()).toMatchObject({ status: 'canceled' });
});

test('no other page presses its buttons, and what does not exist is not found', async () => {
  const { page } = await order();
  for (const site of ['cross-site', 'same-site', 'none']) {
    expect((await open(`${page}/pay`, { headers: { ...withKey(), 'sec-fetch-site': site }, method: 'POST' })).statusCode).toBe(404);
  }
  expect((await open('/dev/payments/checkout/cs_test_x')).statusCode).toBe(404);
  expect((await open('/dev/payments/portal/__proto__')).statusCode).toBe(404);
  expect((await press(`${(await portal()).page}/constructor`)).statusCode).toBe(404);
});
