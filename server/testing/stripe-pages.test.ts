import { day } from '@porchlight/contract/time.ts';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from './world.ts';

let server: TestServer;
let stripe: Stripe;
beforeAll(async () => {
  server = await testServer();
  stripe = server.payments.stripe;
});
afterAll(() => server.close());

const returnUrl = 'http://localhost:4380/dashboard/stripe';
const withKey = () => ({ host: 'localhost:4380', cookie: `simulators_key=${server.simulator_key}` });
const open = (url: string, { headers = withKey(), ...more }: { headers?: Record<string, string>; method?: 'POST' } = {}) =>
  server.app.http.inject({ url, headers, ...more });
const press = async (page: string, form: Record<string, string> = {}) => {
  const headers = { ...withKey(), 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  return server.app.http.inject({ method: 'POST', url: page, headers, payload: new URLSearchParams(form).toString() });
};
const pathOf = (url: string | null) => new URL(url ?? '').pathname;

async function order(orderChanges: Partial<Stripe.Checkout.SessionCreateParams> & { trial?: number; price?: string } = {}) {
  const { trial = 14, price = 'price_family_yearly', ...rest } = orderChanges;
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price, quantity: 1 }],
    success_url: `${returnUrl}/success?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${returnUrl}/cancel`,
    ...(trial ? { subscription_data: { trial_period_days: trial } } : {}),
    ...rest,
  });
  return { id: session.id, page: pathOf(session.url), url: session.url ?? '' };
}

async function portal(orderChanges: Parameters<typeof order>[0] = {}) {
  const { id, page } = await order(orderChanges);
  await press(`${page}/pay`);
  const { customer, subscription } = await stripe.checkout.sessions.retrieve(id);
  const { url } = await stripe.billingPortal.sessions.create({ customer: String(customer), return_url: returnUrl });
  const sub = () => stripe.subscriptions.retrieve(String(subscription), { expand: ['latest_invoice'] });
  return { page: pathOf(url), url, sub };
}

test("[P6.2] the simulator's checkout shows that nothing is charged, and what is bought, for how much, from when", async () => {
  const { page } = await order();
  const { body, headers } = await open(page);
  for (const text of [
    'This is a test checkout. Nothing is charged.',
    '$159.99 a year',
    '14 days',
    'Due today</dt><dd>$0.00',
    'Start trial',
  ]) {
    expect(body).toContain(text);
  }
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain("form-action 'self' http://localhost:4380;");
  for (const form of body.split('<form').slice(1)) expect(form.split('</form>')[0]?.match(/<button/g)).toHaveLength(1);
});

test('paying in the simulator is one POST that creates the plan and redirects back, and a second POST buys nothing more', async () => {
  const { id, page } = await order();
  const paid = await press(`${page}/pay`);
  expect([paid.statusCode, paid.headers.location]).toEqual([303, `${returnUrl}/success?session=${id}`]);
  expect(await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] })).toMatchObject({
    status: 'complete',
    subscription: { status: 'trialing' },
  });
  const again = await press(`${page}/pay`);
  expect([again.statusCode, again.body.includes('This order is done already.')]).toEqual([422, true]);
  const { customer } = await stripe.checkout.sessions.retrieve(id);
  expect((await stripe.subscriptions.list({ customer: String(customer), status: 'all' })).data).toHaveLength(1);
});

test('the back button of the checkout buys nothing', async () => {
  const { id, page } = await order();
  const replyOfBack = await press(`${page}/back`);
  expect([replyOfBack.statusCode, replyOfBack.headers.location]).toEqual([303, `${returnUrl}/cancel`]);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open', subscription: null });
});

test('the checkout of an order without a promotion code has a field for it: an invalid code is named and stays in the field, and a valid code reduces the price', async () => {
  const coupon = await stripe.coupons.create({ amount_off: 1000, currency: 'usd', duration: 'repeating', duration_in_months: 3 });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'SPRING' });
  const { id, page } = await order({ allow_promotion_codes: true, trial: 0 });
  expect((await open(page)).body).toContain('name="promotion_code"');
  const replyToWrongCode = await press(`${page}/pay`, { promotion_code: '<b>WINTER' });
  expect(replyToWrongCode.statusCode).toBe(422);
  expect(replyToWrongCode.body).toContain('role="alert" id="problem">The code “&#60;b&#62;WINTER” cannot be used.');
  expect(replyToWrongCode.body).toContain('value="&#60;b&#62;WINTER"');
  expect((await press(`${page}/pay`, { promotion_code: ' spring ' })).statusCode).toBe(303);
  expect(await stripe.checkout.sessions.retrieve(id, { expand: ['invoice'] })).toMatchObject({
    amount_total: 14_999,
    payment_status: 'paid',
    invoice: { amount_paid: 14_999 },
  });
});

test('the checkout shows the promotion code of the order, without a field for another code', async () => {
  const coupon = await stripe.coupons.create({ percent_off: 25, duration: 'forever' });
  const { body } = await open((await order({ discounts: [{ coupon: coupon.id }] })).page);
  expect(body).toContain('$119.99 a year for as long as it runs');
  expect(body).not.toContain('promotion_code');
});

test('a declined card pays nothing and can be retried, and a card that fails later begins a trial', async () => {
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

test("the simulator's portal can put a plan into every state, each by one POST", async () => {
  const { page, sub } = await portal();
  const pressButton = async (button: string, form: Record<string, string> = {}) => {
    const { statusCode, headers } = await press(`${page}/${button}`, form);
    expect([button, statusCode, headers.location]).toEqual([button, 303, page]);
    const { status, cancel_at_period_end: ends, items } = await sub();
    return { status, ends, price: items.data[0]?.price.id, says: (await open(page)).body };
  };
  expect(await pressButton('price', { price: 'price_individual_monthly' })).toMatchObject({
    status: 'trialing',
    price: 'price_individual_monthly',
  });
  const ending = await pressButton('cancel');
  expect([ending.ends, ending.says.includes('and is not renewed')]).toEqual([true, true]);
  expect(await pressButton('resume')).toMatchObject({ ends: false, status: 'trialing' });
  expect((await pressButton('card-fails')).says).toContain('The card fails.');
  expect(await pressButton('card-works')).toMatchObject({ status: 'trialing' });
  const paid = await pressButton('end-trial');
  expect([paid.status, paid.says.includes('then it renews')]).toEqual(['active', true]);
  const failed = await pressButton('fail-now');
  expect([failed.status, failed.says.includes('The last payment of $9.99 did not go through.')]).toEqual(['past_due', true]);
  expect(await pressButton('card-works')).toMatchObject({ status: 'active' });
  expect((await sub()).latest_invoice).toMatchObject({ status: 'paid', amount_paid: 999 });
  const endedPlan = await pressButton('end-now');
  expect([endedPlan.status, endedPlan.says.includes('The plan ended on')]).toEqual(['canceled', true]);
  expect((await press(`${page}/resume`)).statusCode).toBe(404);
  expect((await press(`${page}/back`)).headers.location).toBe(returnUrl);
});

test("a customer's name is escaped on the simulator's pages and cannot contain markup", async () => {
  await stripe.products.update('prod_dev', { name: '<script>x</script>' });
  const { body } = await open((await order({ price: 'price_dev_monthly' })).page);
  expect(body).toContain('&#60;script&#62;');
  expect(body).not.toContain('<script>');
});

test("events can be paused and released on the simulator's page", async () => {
  const newestEventId = async () => (await stripe.events.list({ type: 'customer.created', limit: 1 })).data[0]?.id ?? '';
  const waits = async (id: string) => server.stripeSimulator.at(({ state }) => id in state.deliveries);
  expect((await press('/dev/payments/hold')).statusCode).toBe(303);
  await stripe.customers.create({});
  await server.stripeSimulator.deliver();
  expect(await waits(await newestEventId())).toBe(true);
  expect((await open('/dev/payments')).body).toContain('Events are held back. 1 event waits.');
  await press('/dev/payments/release');
  expect(await waits(await newestEventId())).toBe(false);
});

test.each([
  ['from this computer', {}],
  ['through a proxy that says nothing of itself', { 'x-real-ip': '192.0.2.7' }],
  ['with a wrong key', { cookie: `simulators_key=${'x'.repeat(43)}` }],
  ['with an empty key', { cookie: 'simulators_key=' }],
])('[P14.3] A6: without the key the Stripe simulator answers 404, %s', async (_how, orderChanges) => {
  const headers = { host: 'localhost:4380', ...orderChanges };
  const { page } = await order();
  const portalPage = await portal();
  const pages = ['/dev/payments', page, portalPage.page];
  const buttons = ['/dev/payments/hold', `${page}/pay`, `${page}/back`, `${portalPage.page}/end-now`, `${portalPage.page}/back`];
  for (const url of pages) expect((await open(url, { headers })).statusCode).toBe(404);
  for (const url of buttons) expect((await open(url, { headers, method: 'POST' })).statusCode).toBe(404);
  for (const url of pages) expect((await open(url)).statusCode).toBe(200);
});

test('[P14.3] A6: the URL of a checkout opens that checkout and nothing else, once', async () => {
  const [firstPage, otherPage] = [await order(), await order()];
  const firstReply = await open(firstPage.url, { headers: {} });
  expect([firstReply.statusCode, firstReply.headers.location]).toEqual([303, firstPage.page]);
  const setCookie = String(firstReply.headers['set-cookie']);
  expect(setCookie).toMatch(new RegExp(`^simulator_checkout=[\\w-]{32}; Path=${firstPage.page}; HttpOnly; SameSite=Strict$`));
  const headers = { cookie: setCookie.split(';')[0] ?? '' };
  expect((await open(firstPage.page, { headers })).body).toContain('Start trial');
  // The ticket works once; the browser that used it can reload.
  expect((await open(firstPage.url, { headers: {} })).statusCode).toBe(404);
  expect((await open(firstPage.url, { headers })).statusCode).toBe(303);
  for (const url of ['/dev/payments', '/dev/mailbox', '/dev/mailbox.json', otherPage.page]) {
    expect((await open(url, { headers })).statusCode).toBe(404);
  }
  expect((await open(`${otherPage.page}?ticket=${new URL(firstPage.url).searchParams.get('ticket')}`, { headers })).statusCode).toBe(404);
  expect((await open(`${otherPage.page}/pay`, { headers, method: 'POST' })).statusCode).toBe(404);
  expect((await stripe.checkout.sessions.retrieve(otherPage.id)).status).toBe('open');
  // For another browser the page gets a new URL.
  const again = (await stripe.checkout.sessions.retrieve(firstPage.id)).url ?? '';
  expect(again).not.toBe(firstPage.url);
  expect((await open(again, { headers: {} })).statusCode).toBe(303);
  expect(
    (await open(`${firstPage.page}/pay`, { headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' }, method: 'POST' }))
      .statusCode,
  ).toBe(303);
});

test('[P14.3] A6: the URL of a portal opens that portal and no other', async () => {
  const [firstPage, otherPage] = [await portal(), await portal()];
  const { headers: replyHeaders } = await open(firstPage.url, { headers: {} });
  const headers = { cookie: String(replyHeaders['set-cookie']).split(';')[0] ?? '' };
  expect((await open(firstPage.page, { headers })).body).toContain('This is a test portal');
  expect((await open(otherPage.page, { headers })).statusCode).toBe(404);
  expect((await open(`${otherPage.page}/end-now`, { headers, method: 'POST' })).statusCode).toBe(404);
  expect(await otherPage.sub()).toMatchObject({ status: 'trialing' });
  expect((await open(`${firstPage.page}/end-now`, { headers, method: 'POST' })).statusCode).toBe(303);
  expect(await firstPage.sub()).toMatchObject({ status: 'canceled' });
});

test("requests from other sites cannot press the simulator's buttons, and unknown pages are answered with 404", async () => {
  const { page } = await order();
  for (const site of ['cross-site', 'same-site', 'none']) {
    expect((await open(`${page}/pay`, { headers: { ...withKey(), 'sec-fetch-site': site }, method: 'POST' })).statusCode).toBe(404);
  }
  expect((await open('/dev/payments/checkout/cs_test_x')).statusCode).toBe(404);
  expect((await open('/dev/payments/portal/__proto__')).statusCode).toBe(404);
  expect((await press(`${(await portal()).page}/constructor`)).statusCode).toBe(404);
});
