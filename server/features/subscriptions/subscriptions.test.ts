import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeAddress, goodPassword, person, type TestServer, testServer } from '../../testing/world.ts';
import { promoStore } from './promo-store.ts';

let server: TestServer;
let promos: ReturnType<typeof promoStore>;
beforeAll(async () => {
  server = await testServer();
  promos = promoStore(server.db, server.clock);
});
afterAll(() => server.close());

const day = 86_400_000;
const inDays = (n: number) => new Date(server.clock.now().getTime() + n * day);
const look = (code: string, ip = fakeAddress()) =>
  server.call(`GET /promo-code?code=${encodeURIComponent(code)}`, { headers: { 'x-forwarded-for': ip } });
const forever = { amount_off: null, percent_off: 25, duration: 'forever', duration_in_months: null, redeem_by: null } as const;

/** Registers, logs in and answers the plan. */
async function planWith(email: string, promo: string | null) {
  const headers = { 'x-forwarded-for': fakeAddress() };
  const reply = await server.call('POST /register', { body: { name: 'Ann', email, password: goodPassword, promo }, headers });
  expect(reply.status).toBe(200);
  const { body } = await server.call('POST /login/web', { body: { email, password: goodPassword }, headers });
  return (await server.call('GET /web/profile/sub', { token: String(body.web_token) })).body;
}

test('[7.5] [3.10] a promo tells what it takes off and for how long, whatever the case of the code, to anyone', async () => {
  await promos.create({ code: 'Spring', ...forever });
  await promos.create({
    code: 'AARP10',
    amount_off: 1000,
    percent_off: null,
    duration: 'repeating',
    duration_in_months: 3,
    redeem_by: new Date('2027-01-31T23:59:59.000Z'),
  });
  expect(await look(' sPRING ')).toMatchObject({ status: 200, body: { code: 'Spring', ...forever } });
  const { body } = await look('aarp10');
  expect(body).toEqual({
    code: 'AARP10',
    amount_off: 1000,
    percent_off: null,
    duration: 'repeating',
    duration_in_months: 3,
    redeem_by: 1_801_439_999,
  });
});

test('[7.5] an unknown promo is a 404, one that has ended a 410, and its last second still counts', async () => {
  expect(await look('NOTHING')).toMatchObject({ status: 404, body: { code: 'promo_unknown' } });
  expect(await look('x'.repeat(101))).toMatchObject({ status: 422 });
  expect(await server.call('GET /promo-code')).toMatchObject({ status: 422, body: { fields: [{ field: 'Code', tag: 'required' }] } });
  await promos.create({ code: 'SOON', ...forever, redeem_by: new Date(server.clock.now().getTime() + 1000) });
  server.clock.turn(999);
  expect((await look('SOON')).status).toBe(200);
  server.clock.turn(1);
  expect(await look('SOON')).toMatchObject({ status: 410, body: { code: 'promo_expired' } });
});

test('looking promos up is limited for each address, so that they cannot be guessed', async () => {
  const replies = await Promise.all(Array.from({ length: 21 }, () => look('GUESS', '198.18.77.1')));
  expect(replies.map((r) => r.status).sort()).toEqual([...Array(20).fill(404), 429]);
  expect(replies.find((r) => r.status === 429)?.headers['retry-after']).toBeDefined();
  expect((await look('GUESS', '198.18.77.2')).status).toBe(404);
});

test('[3.9] the plan carries the promo that one registered with, as it is really written', async () => {
  await promos.create({ code: 'Family', ...forever });
  expect(await planWith('p1@example.org', 'fAMILY')).toEqual({
    subscribed: false,
    device_limit: 5,
    expires: null,
    external: false,
    lifetime: false,
    register_promo_code: { code: 'Family' },
  });
});

test('[8.16] an unknown or ended promo stops nobody from registering, and is not kept', async () => {
  await promos.create({ code: 'LATE', ...forever, redeem_by: inDays(-1) });
  for (const [i, promo] of [null, '', 'NOTHING', 'LATE'].entries()) {
    expect((await planWith(`p2-${i}@example.org`, promo)).register_promo_code).toBeNull();
  }
});

test('[3.9] what an account was given stands in its plan', async () => {
  const { token, email } = await person(server);
  await server.db.updateTable('accounts').set({ external: true, lifetime: true, device_limit: 0 }).where('email', '=', email).execute();
  const { body } = await server.call('GET /web/profile/sub', { token });
  expect(body).toMatchObject({ subscribed: false, device_limit: 0, external: true, lifetime: true, register_promo_code: null });
});
