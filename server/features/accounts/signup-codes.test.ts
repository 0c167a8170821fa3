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

const createCode = (code: string, overrides: Partial<NewSignupCode> = {}) =>
  codes.create({ code, note: '', device_limit: 2, external: false, lifetime: false, max_uses: 1, expires: null, ...overrides });
const lookUp = (code: string) => server.call('POST /code', { body: { code }, headers: { 'x-forwarded-for': fakeAddress() } });
const idOf = async (code: string) => String((await lookUp(code)).body.signup_code_id);
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

test('[7.4] [P1.6] a sign-up code, in any case, is answered with its id alone, and the request does not use it up', async () => {
  await createCode('Bank-2026');
  const firstReply = await lookUp('bank-2026');
  expect(firstReply).toMatchObject({ status: 200, body: { signup_code_id: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  expect(Object.keys(firstReply.body)).toEqual(['signup_code_id']);
  for (let i = 0; i < 5; i++) expect((await lookUp('  BANK-2026 ')).body).toEqual(firstReply.body);
  expect((await register('l1@example.org', String(firstReply.body.signup_code_id))).status).toBe(200);
});

test('[P1.6] a used or expired code is a 410, an unknown one a 404, and a code works until its last moment', async () => {
  await createCode('ONCE');
  await register('u1@example.org', await idOf('ONCE'));
  expect(await lookUp('ONCE')).toMatchObject({ status: 410, body: { code: 'code_used' } });
  expect(await lookUp('NEVER-MADE')).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  await createCode('BRIEF', { expires: new Date(server.clock.now().getTime() + 1000) });
  const id = await idOf('BRIEF');
  server.clock.turn(999);
  expect((await lookUp('BRIEF')).status).toBe(200);
  server.clock.turn(1);
  expect(await lookUp('BRIEF')).toMatchObject({ status: 410, body: { code: 'code_expired' } });
  expect(await register('u2@example.org', id)).toMatchObject({ status: 410, body: { code: 'code_expired' } });
});

test('[7.4] a device code takes precedence over a sign-up code with the same text', async () => {
  const { token } = await person(server);
  const { body: createdDevice } = await server.call('POST /web/create-device', { token, body: { name: 'Den PC' } });
  await createCode(String(createdDevice.login_code));
  expect(Object.keys((await lookUp(String(createdDevice.login_code))).body)).toEqual(
    expect.arrayContaining(['link_uri', 'link_uri_signature']),
  );
});

test('[7.3] [3.9] an account registered with a code id gets the benefits of that code', async () => {
  await createCode('GIFT', { device_limit: 12, external: true, lifetime: true });
  expect((await register('g1@example.org', await idOf('GIFT'))).status).toBe(200);
  expect(await planOf('g1@example.org')).toMatchObject({ subscribed: false, device_limit: 12, external: true, lifetime: true });
  expect((await register('g2@example.org', null)).status).toBe(200);
  expect(await planOf('g2@example.org')).toMatchObject({ device_limit: 0, external: false, lifetime: false });
});

test.each([
  ['not an id', 'GIFT', 404, 'code_unknown'],
  ['an empty one', '', 404, 'code_unknown'],
  ['an id that nobody made', '11111111-1111-4111-8111-111111111111', 404, 'code_unknown'],
])('[7.3] registering with %s as code id is refused, and no account is created', async (_what, id, status, code) => {
  const accountCount = await accounts();
  expect(await register('no@example.org', id)).toMatchObject({ status, body: { code } });
  expect(await accounts()).toBe(accountCount);
});

test('[7.3] a registration that fails because the address is taken does not use up the code', async () => {
  await createCode('KEPT');
  const id = await idOf('KEPT');
  await register('k1@example.org', null);
  expect(await register('K1@example.org', id)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  expect((await register('k2@example.org', id)).status).toBe(200);
});

test('[7.3] of fifty simultaneous registrations with the last use of a code, exactly one creates an account', async () => {
  await createCode('RACE', { max_uses: 1 });
  const id = await idOf('RACE');
  const accountCount = await accounts();
  const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => register(`race-${i}@example.org`, id)));
  expect(replies.map((r) => r.status).sort()).toEqual([200, ...Array(49).fill(410)]);
  expect(replies.filter((r) => r.status === 410).every((r) => String(r.body.code) === 'code_used')).toBe(true);
  expect(await accounts()).toBe(accountCount + 1);
});

test('generated sign-up codes contain no ambiguous characters, and no two are equal', () => {
  const newCodes = Array.from({ length: 200 }, newSignupCode);
  for (const code of newCodes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/);
  expect(new Set(newCodes).size).toBe(200);
});
