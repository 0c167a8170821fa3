import { day } from '@porchlight/contract/time.ts';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeAddress, goodPassword, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const inDays = (n: number) => Math.floor(server.clock.now().getTime() / 1000) + (n * day) / 1000;
const lookUp = (code: string, ip = fakeAddress()) =>
  server.call(`GET /promo-code?code=${encodeURIComponent(code)}`, { headers: { 'x-forwarded-for': ip } });

type Discount = Stripe.CouponCreateParams;
async function createPromo(
  code: string,
  discount: Discount = { percent_off: 25, duration: 'forever' },
  overrides: Partial<Stripe.PromotionCodeCreateParams> = {},
) {
  const { stripe } = server.payments;
  const coupon = await stripe.coupons.create(discount);
  return stripe.promotionCodes.create({ code, promotion: { type: 'coupon', coupon: coupon.id }, ...overrides });
}
const foreverPromo = { amount_off: null, percent_off: 25, duration: 'forever', duration_in_months: null, redeem_by: null };

async function planWith(email: string, code: string | null) {
  const headers = { 'x-forwarded-for': fakeAddress() };
  const reply = await server.call('POST /register', { body: { name: 'Ann', email, password: goodPassword, promo: code }, headers });
  expect(reply.status).toBe(200);
  const { body } = await server.call('POST /login/web', { body: { email, password: goodPassword }, headers });
  return (await server.call('GET /web/profile/sub', { token: String(body.web_token) })).body;
}

test("[7.5] [3.10] anyone can look up a promo's discount and duration, with the code in any case", async () => {
  await createPromo('Spring');
  expect(await lookUp(' sPRING ')).toMatchObject({ status: 200, body: { code: 'Spring', ...foreverPromo } });
  await createPromo('AARP10', { amount_off: 1000, currency: 'usd', duration: 'repeating', duration_in_months: 3, redeem_by: inDays(70) });
  expect((await lookUp('aarp10')).body).toEqual({
    code: 'AARP10',
    amount_off: 1000,
    percent_off: null,
    duration: 'repeating',
    duration_in_months: 3,
    redeem_by: inDays(70),
  });
});

test('[3.10] a discount applied once is shown as one month, and of two ends the earlier one', async () => {
  await createPromo('ONCE', { percent_off: 50, duration: 'once', redeem_by: inDays(9) }, { expires_at: inDays(5) });
  expect((await lookUp('ONCE')).body).toMatchObject({ duration: 'repeating', duration_in_months: 1, redeem_by: inDays(5) });
  await createPromo('LATER', { percent_off: 50, duration: 'once', redeem_by: inDays(3) }, { expires_at: inDays(5) });
  expect((await lookUp('LATER')).body).toMatchObject({ redeem_by: inDays(3) });
});

test('[7.5] an unknown promo is a 404, an ended one a 410, and a promo works until its last second', async () => {
  expect(await lookUp('NOTHING')).toMatchObject({ status: 404, body: { code: 'promo_unknown' } });
  expect(await lookUp('no code at all!')).toMatchObject({ status: 404, body: { code: 'promo_unknown' } });
  expect(await lookUp('x'.repeat(101))).toMatchObject({ status: 422 });
  expect(await server.call('GET /promo-code')).toMatchObject({ status: 422, body: { fields: [{ field: 'Code', tag: 'required' }] } });
  await createPromo('SOON', { percent_off: 25, duration: 'forever' }, { expires_at: inDays(1) });
  server.clock.turn(day - 1);
  expect((await lookUp('SOON')).status).toBe(200);
  server.clock.turn(1);
  expect(await lookUp('SOON')).toMatchObject({ status: 410, body: { code: 'promo_expired' } });
});

test('[7.5] a deactivated or used-up promo has ended, and one in another currency is unknown', async () => {
  const { id } = await createPromo('BACK');
  expect((await lookUp('BACK')).status).toBe(200);
  await server.payments.stripe.promotionCodes.update(id, { active: false });
  expect(await lookUp('BACK')).toMatchObject({ status: 410, body: { code: 'promo_expired' } });
  await createPromo('EURO', { amount_off: 500, currency: 'eur', duration: 'forever' });
  expect(await lookUp('EURO')).toMatchObject({ status: 404, body: { code: 'promo_unknown' } });
});

test('promo lookups are limited per address, so that codes cannot be guessed', async () => {
  const replies = await Promise.all(Array.from({ length: 21 }, () => lookUp('GUESS', '198.18.77.1')));
  expect(replies.map((r) => r.status).sort()).toEqual([...Array(20).fill(404), 429]);
  expect(replies.find((r) => r.status === 429)?.headers['retry-after']).toBeDefined();
  expect((await lookUp('GUESS', '198.18.77.2')).status).toBe(404);
});

test('[3.9] the plan shows the promo from registration in its original spelling', async () => {
  await createPromo('Family');
  expect(await planWith('p1@example.org', 'fAMILY')).toMatchObject({
    subscribed: false,
    device_limit: 0,
    expires: null,
    external: false,
    lifetime: false,
    register_promo_code: { code: 'Family' },
  });
});

test('[8.16] an invalid promo does not prevent registration, and is not stored', async () => {
  const { id } = await createPromo('LATE');
  await server.payments.stripe.promotionCodes.update(id, { active: false });
  for (const [i, code] of [null, '', 'NOTHING', 'LATE'].entries()) {
    expect((await planWith(`p2-${i}@example.org`, code)).register_promo_code).toBeNull();
  }
});

test("[3.9] an account's grants appear in its plan", async () => {
  const { token, email } = await person(server);
  await server.db.updateTable('accounts').set({ external: true, lifetime: true, device_limit: 9 }).where('email', '=', email).execute();
  const { body } = await server.call('GET /web/profile/sub', { token });
  expect(body).toMatchObject({ subscribed: true, device_limit: 9, external: true, lifetime: true, register_promo_code: null });
});
