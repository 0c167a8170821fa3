import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeAddress, goodPassword, person, type TestServer, testServer } from '../../testing/world.ts';
import { type NewSignupCode, newSignupCode, signupCodeStore } from './signup-codes.ts';

let server: TestServer;
let codes: ReturnType<typeof signupCodeStore>;
beforeAll(async () => {
  server = await testServer();
  codes = signupCodeStore(server.db, server.clock);
});
afterAll(() => server.close());

const make = (code: string, more: Partial<NewSignupCode> = {}) =>
  codes.create({ code, note: '', device_limit: 2, external: false, lifetime: false, max_uses: 1, expires: null, ...more });
const look = (code: string) => server.call('POST /code', { body: { code }, headers: { 'x-forwarded-for': fakeAddress() } });
const idOf = async (code: string) => String((await look(code)).body.signup_code_id);
const register = (email: string, signup_code: string | null) =>
  server.call('POST /register', {
    body: { name: 'Ann', email, password: goodPassword, promo: null, signup_code },
    headers: { 'x-forwarded-for': fakeAddress() },
  });
const accounts = async () =>
  Number(
    (
      await server.db
        .selectFrom('accounts')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirst()
    )?.n,
  );

async function planOf(email: string) {
  const { body } = await server.call('POST /login/web', {
    body: { email, password: goodPassword },
    headers: { 'x-forwarded-for': fakeAddress() },
  });
  return (await server.call('GET /web/profile/sub', { token: String(body.web_token) })).body;
}

test('[7.4] [P1.6] a sign-up code answers with its id and nothing else, whatever its case, and looking does not use it', async () => {
  await make('Bank-2026');
  const first = await look('bank-2026');
  expect(first).toMatchObject({ status: 200, body: { signup_code_id: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  expect(Object.keys(first.body)).toEqual(['signup_code_id']);
  for (let i = 0; i < 5; i++) expect((await look('  BANK-2026 ')).body).toEqual(first.body);
  expect((await register('l1@example.org', String(first.body.signup_code_id))).status).toBe(200);
});

test('[P1.6] a used code and an expired one are a 410 by name, an unknown one a 404; the last moment still counts', async () => {
  await make('ONCE');
  await register('u1@example.org', await idOf('ONCE'));
  expect(await look('ONCE')).toMatchObject({ status: 410, body: { code: 'code_used' } });
  expect(await look('NEVER-MADE')).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  await make('BRIEF', { expires: new Date(server.clock.now().getTime() + 1000) });
  const id = await idOf('BRIEF');
  server.clock.turn(999);
  expect((await look('BRIEF')).status).toBe(200);
  server.clock.turn(1);
  expect(await look('BRIEF')).toMatchObject({ status: 410, body: { code: 'code_expired' } });
  expect(await register('u2@example.org', id)).toMatchObject({ status: 410, body: { code: 'code_expired' } });
});

test('[7.4] a device code is still one when a sign-up code exists, and comes first', async () => {
  const { token } = await person(server);
  const { body: made } = await server.call('POST /web/create-device', { token, body: { name: 'Den PC' } });
  await make(String(made.login_code));
  expect(Object.keys((await look(String(made.login_code))).body)).toEqual(expect.arrayContaining(['link_uri', 'link_uri_signature']));
});

test('[7.3] [3.9] who registers with the id of a code gets what it gives', async () => {
  await make('GIFT', { device_limit: 12, external: true, lifetime: true });
  expect((await register('g1@example.org', await idOf('GIFT'))).status).toBe(200);
  expect(await planOf('g1@example.org')).toMatchObject({ subscribed: false, device_limit: 12, external: true, lifetime: true });
  expect((await register('g2@example.org', null)).status).toBe(200);
  expect(await planOf('g2@example.org')).toMatchObject({ device_limit: 0, external: false, lifetime: false });
});

test.each([
  ['not an id', 'GIFT', 404, 'code_unknown'],
  ['an empty one', '', 404, 'code_unknown'],
  ['an id that nobody made', '11111111-1111-4111-8111-111111111111', 404, 'code_unknown'],
])('[7.3] %s: refused, and no account is made', async (_what, id, status, code) => {
  const before = await accounts();
  expect(await register('no@example.org', id)).toMatchObject({ status, body: { code } });
  expect(await accounts()).toBe(before);
});

test('[7.3] a taken address does not use the code up', async () => {
  await make('KEPT');
  const id = await idOf('KEPT');
  await register('k1@example.org', null);
  expect(await register('K1@example.org', id)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  expect((await register('k2@example.org', id)).status).toBe(200);
});

test('[7.3] fifty at once with the last use of a code: exactly one account', async () => {
  await make('RACE', { max_uses: 1 });
  const id = await idOf('RACE');
  const before = await accounts();
  const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => register(`race-${i}@example.org`, id)));
  expect(replies.map((r) => r.status).sort()).toEqual([200, ...Array(49).fill(410)]);
  expect(replies.filter((r) => r.status === 410).every((r) => String(r.body.code) === 'code_used')).toBe(true);
  expect(await accounts()).toBe(before + 1);
});

test('a code that is made for someone has no letters that are mixed up, and none comes twice', () => {
  const made = Array.from({ length: 200 }, newSignupCode);
  for (const code of made) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/);
  expect(new Set(made).size).toBe(200);
});
