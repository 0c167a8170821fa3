import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeAddress, goodPassword, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const logIn = (email: string, password: string, address: string, cookie?: string) =>
  server.call('POST /login/web', { body: { email, password }, headers: { 'x-forwarded-for': address, ...(cookie ? { cookie } : {}) } });
/** Tries wrong passwords; returns how many of them the server checked. */
async function guess(email: string, addresses: string[], triesPerAddress: number): Promise<number> {
  let checked = 0;
  for (const address of addresses)
    for (let i = 0; i < triesPerAddress; i++) if ((await logIn(email, 'not the password', address)).status === 400) checked += 1;
  return checked;
}
const fakeAddresses = (n: number) => Array.from({ length: n }, fakeAddress);
const ok = { status: 200 };
const refusedLogin = { status: 429, body: { code: 'login_guarded' } };

test('A10: wrong passwords from one address are limited to ten an hour, and lock the owner out of no other address', async () => {
  const { email } = await person(server);
  const attacker = fakeAddress();
  expect(await guess(email, [attacker], 12)).toBe(10);
  server.clock.turn(6 * minute);
  expect(await guess(email, [attacker], 3)).toBe(0);
  expect(await logIn(email, goodPassword, fakeAddress())).toMatchObject(ok);
  expect(await logIn(email, goodPassword, attacker)).toMatchObject({ status: 429, body: { code: 'too_many' } });
});

test('A10: wrong passwords from many addresses are limited to thirty an hour; known networks and a reset by email still work', async () => {
  const { email } = await person(server);
  const knownAddress = fakeAddress();
  expect(await logIn(email, goodPassword, knownAddress)).toMatchObject(ok);
  // After thirty attempts every unknown address is refused.
  expect(await guess(email, fakeAddresses(60), 1)).toBeLessThanOrEqual(30);
  const unknownAddress = fakeAddress();
  expect(await logIn(email, goodPassword, unknownAddress)).toMatchObject(refusedLogin);
  expect(await logIn(email, goodPassword, knownAddress)).toMatchObject(ok);

  await server.call('POST /forgot-password', { body: { email }, headers: { 'x-forwarded-for': unknownAddress } });
  const token = linkIn(
    (await server.mailsTo(email)).find(({ subject }) => subject === 'Choose a new password'),
    '/reset-password/',
  );
  const password = 'another good password';
  const reset = await server.call('POST /reset-password', { body: { token, password }, headers: { 'x-forwarded-for': unknownAddress } });
  expect(reset.status).toBe(200);
  const cookie = String([reset.headers['set-cookie'] ?? []].flat()[0]).split(';')[0];
  expect(await logIn(email, password, unknownAddress, cookie)).toMatchObject(ok);
  expect(await logIn(email, password, fakeAddress())).toMatchObject(refusedLogin);
});

test('A10: the refusal after too many attempts is the same for an address without an account', async () => {
  const { email } = await person(server);
  const withoutRequestId = ({ status, body }: { status: number; body: object }) => ({ status, ...body, request_id: '' });
  const replyAfterGuesses = async (email: string) => {
    await guess(email, fakeAddresses(30), 1);
    return withoutRequestId(await logIn(email, 'whatever it is', fakeAddress()));
  };
  expect(await replyAfterGuesses(email)).toEqual(await replyAfterGuesses('nobody-has-this@example.org'));
});

test('A10: a login from a private network address does not make that network known', async () => {
  const { email } = await person(server);
  expect(await logIn(email, goodPassword, '10.0.0.7')).toMatchObject(ok);
  await guess(email, fakeAddresses(30), 1);
  expect(await logIn(email, goodPassword, '10.0.0.7')).toMatchObject(refusedLogin);
});

test('A10: the database does not contain the IP addresses of logins', async () => {
  const { email } = await person(server);
  const address = fakeAddress();
  await logIn(email, goodPassword, address);
  const rows = await server.db.selectFrom('known_networks').selectAll().execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(address);
});

test('A10: after a password reset, the browser stays known to the other accounts that log in there', async () => {
  const [ann, ben] = [await person(server), await person(server)];
  /** Simulates a browser's cookies, which are sent with the narrower path first (RFC 6265). */
  const cookies = new Map<string, string>();
  const callAsBrowser = async (path: string, body: object, address: string) => {
    const matchingCookies = [...cookies].map(([key, value]) => ({ at: key.split(' ')[0] ?? '', pair: `${key.split(' ')[1]}=${value}` }));
    const sentCookies = matchingCookies.filter(({ at }) => `/api${path}`.startsWith(at)).toSorted((a, b) => b.at.length - a.at.length);
    const cookie = sentCookies.map(({ pair }) => pair).join('; ');
    const reply = await server.call(`POST ${path}`, { body, headers: { 'x-forwarded-for': address, ...(cookie ? { cookie } : {}) } });
    for (const line of [reply.headers['set-cookie'] ?? []].flat().map(String)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const cookiePath = /path=([^;]+)/i.exec(line)?.[1] ?? '/';
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(`${cookiePath} ${name}`);
      else cookies.set(`${cookiePath} ${name}`, value);
    }
    return reply;
  };
  for (const { email } of [ann, ben])
    expect(await callAsBrowser('/login/web', { email, password: goodPassword }, fakeAddress())).toMatchObject(ok);
  const reset = async (email: string, password: string) => {
    await server.call('POST /forgot-password', { body: { email }, headers: { 'x-forwarded-for': fakeAddress() } });
    const [mail] = (await server.mailsTo(email)).filter(({ subject }) => subject === 'Choose a new password');
    return callAsBrowser('/reset-password', { token: linkIn(mail, '/reset-password/'), password }, fakeAddress());
  };
  expect(await reset(ann.email, 'another good password')).toMatchObject(ok);
  for (const { email } of [ann, ben]) await guess(email, fakeAddresses(60), 1);
  expect(await callAsBrowser('/login/web', { email: ben.email, password: goodPassword }, fakeAddress())).toMatchObject(ok);
  expect(await callAsBrowser('/login/web', { email: ann.email, password: 'another good password' }, fakeAddress())).toMatchObject(ok);
  expect(await logIn(ben.email, goodPassword, fakeAddress())).toMatchObject(refusedLogin);
});
