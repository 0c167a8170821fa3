import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticatorApp } from '../../../testing/authenticator-app.ts';
import { fakeAddress, goodPassword, newcomer, type TestServer, testServer } from '../../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

interface Try {
  code?: string;
  from: string;
  password?: string;
  cookie?: string;
}
const logIn = (email: string, { code, from, password = goodPassword, cookie }: Try) =>
  server.call('POST /login/web', { body: { email, password, code }, headers: { 'x-forwarded-for': from, ...(cookie ? { cookie } : {}) } });
const answer = async (email: string, attempt: Try) => {
  const { status, body } = await logIn(email, attempt);
  return status === 200 ? 'logged in' : String(body.code);
};
const fakeAddresses = (n: number) => Array.from({ length: n }, fakeAddress);

async function withApp() {
  const ann = await newcomer(server);
  return { ...ann, app: await authenticatorApp(server, ann.token) };
}

/** Tries wrong codes with the right password, slowly enough for the limit of a network; returns the refusals to check one. */
async function guess(email: string, addresses: string[], pauseMs = 7_000): Promise<string[]> {
  const refusals: string[] = [];
  for (const from of addresses) {
    server.clock.turn(pauseMs);
    const code = await answer(email, { code: '000000', from });
    if (code !== 'sign_in_code_wrong') refusals.push(code);
  }
  return refusals;
}

test('[P13.1] codes from one network are limited to ten an hour, and lock the owner out of no other network', async () => {
  const { email, app } = await withApp();
  const network = fakeAddress();
  expect(await answer(email, { code: app.nextCode(), from: network })).toBe('logged in');
  // Now the account knows the network, where passwords are limited for five minutes only.
  server.clock.turn(hour);
  expect(await guess(email, Array(12).fill(network), serverLimits.login_tries_within / 9)).toEqual(['too_many', 'too_many']);
  server.clock.turn(hour / 4);
  expect(await answer(email, { code: app.nextCode(), from: network })).toBe('too_many');
  expect(await answer(email, { code: app.nextCode(), from: fakeAddress() })).toBe('logged in');
  server.clock.turn(hour);
  expect(await answer(email, { code: app.nextCode(), from: network })).toBe('logged in');
});

test('[P13.1] wrong codes from many networks are limited to thirty a day; known browsers and networks still log in', async () => {
  const { email, app } = await withApp();
  const known = fakeAddress();
  const { status, headers } = await logIn(email, { code: app.nextCode(), from: known });
  expect(status).toBe(200);
  const cookie = String([headers['set-cookie'] ?? []].flat()[0]).split(';')[0] ?? '';
  // The password's own limit for strangers ends after an hour; that of codes does not. The owner's first log-in there was one try.
  expect(await guess(email, fakeAddresses(15))).toEqual([]);
  server.clock.turn(hour);
  expect(await guess(email, fakeAddresses(serverLimits.login_code_tries_elsewhere - 16))).toEqual([]);
  server.clock.turn(hour);
  const refused = await logIn(email, { code: app.nextCode(), from: fakeAddress() });
  expect(refused).toMatchObject({ status: 429, body: { code: 'login_guarded' } });
  expect(await answer(email, { code: app.nextCode(), from: known })).toBe('logged in');
  expect(await answer(email, { code: app.nextCode(), from: fakeAddress(), cookie })).toBe('logged in');
  server.clock.turn(24 * hour);
  expect(await answer(email, { code: app.nextCode(), from: fakeAddress() })).toBe('logged in');
});

test('guesses in the owner’s own browser are limited to ten an hour, and lock the owner out of no other browser', async () => {
  const { email, app } = await withApp();
  const [own, other] = [fakeAddress(), fakeAddress()];
  const { headers } = await logIn(email, { code: app.nextCode(), from: own });
  const cookie = String([headers['set-cookie'] ?? []].flat()[0]).split(';')[0] ?? '';
  const answers: string[] = [];
  for (let i = 0; i < 12; i++) {
    // Slowly enough for the limit of passwords, which is ten in five minutes there.
    server.clock.turn(serverLimits.login_tries_within / 9);
    answers.push(await answer(email, { code: '000000', from: own, cookie }));
  }
  expect(answers).toEqual([...Array(10).fill('sign_in_code_wrong'), 'too_many', 'too_many']);
  expect(await answer(email, { code: app.nextCode(), from: other })).toBe('logged in');
});

test('strangers without the password use up no tries of codes', async () => {
  const { email, app } = await withApp();
  const addresses = fakeAddresses(20);
  for (const from of addresses) expect(await answer(email, { code: '000000', from, password: 'not the password' })).toBe('login_wrong');
  server.clock.turn(hour);
  expect(await guess(email, fakeAddresses(serverLimits.login_code_tries_elsewhere - 1))).toEqual([]);
  server.clock.turn(hour);
  expect(await answer(email, { code: app.nextCode(), from: fakeAddress() })).toBe('logged in');
});

test('a log-in in two requests costs one try of a password and one of a code', async () => {
  const { email, app } = await withApp();
  // A private address never becomes known, so that all tries have the strictest limits.
  const from = '10.0.0.7';
  for (let i = 0; i < serverLimits.login_tries; i++) {
    server.clock.turn(61_000);
    expect(await answer(email, { from })).toBe('second_step_needed');
    expect(await answer(email, { code: app.nextCode(), from })).toBe('logged in');
  }
  server.clock.turn(61_000);
  expect(await answer(email, { from })).toBe('too_many');
});

test('asking for the second step gives no further tries of passwords', async () => {
  const { email } = await withApp();
  const from = fakeAddress();
  const tries: string[] = [];
  for (let i = 0; i < serverLimits.login_tries + 1; i++) {
    server.clock.turn(13_000);
    await answer(email, { from });
    tries.push(await answer(email, { from, password: 'not the password' }));
  }
  expect(tries).toEqual([...Array(serverLimits.login_tries).fill('login_wrong'), 'too_many']);
});
