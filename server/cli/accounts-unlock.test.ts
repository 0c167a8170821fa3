import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeAddress, goodPassword, linkedDevice, newcomer, person, type TestServer, testServer } from '../testing/world.ts';
import { runCommand } from './run.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** The command runs with the server's clock, so that a test decides when a lock-out has ended by itself. */
const run = (...args: string[]) => {
  const { database_url: DATABASE_URL, config } = server;
  return runCommand(
    args,
    () => ({ DATABASE_URL, DATA_DIR: config.data_dir, SECRET_KEY: 'a secret key for tests, thirty-two characters' }),
    server.clock,
  );
};
const unlock = (email: string) => run('accounts', 'unlock', '--email', email);
const logIn = async (email: string, password: string, ip: string) =>
  (await server.call('POST /login/web', { body: { email, password }, headers: { 'x-forwarded-for': ip } })).status;

test('unlocking ends the lock-out of one browser or network after wrong passwords, and no other account’s', async () => {
  const [ann, eve] = [await newcomer(server), await newcomer(server)];
  const ip = { [ann.email]: fakeAddress(), [eve.email]: fakeAddress() };
  for (const { email } of [ann, eve]) {
    for (let i = 0; i < serverLimits.login_tries; i++) {
      // Ten logins a minute is the limit of a network.
      if (i % 5 === 0) server.clock.turn(60_001);
      await logIn(email, 'not the password', ip[email] ?? '');
    }
  }
  server.clock.turn(60_001);
  expect(await logIn(ann.email, goodPassword, ip[ann.email] ?? '')).toBe(429);
  const { code, out } = await unlock(ann.email.toUpperCase());
  expect(code).toBe(0);
  expect(out).toMatch(/^.+ can try again\. Ended:\n {2}wrong passwords at the login, by one browser or network\nThis stays: /);
  expect(await logIn(ann.email, goodPassword, ip[ann.email] ?? '')).toBe(200);
  expect(await logIn(eve.email, goodPassword, ip[eve.email] ?? '')).toBe(429);
});

test('unlocking ends the lock-out after guesses from everywhere', async () => {
  const { email } = await newcomer(server);
  for (let i = 0; i < serverLimits.login_tries_elsewhere; i++) await logIn(email, 'not the password', fakeAddress());
  const stranger = fakeAddress();
  expect(await logIn(email, goodPassword, stranger)).toBe(429);
  expect((await unlock(email)).out).toContain('from everywhere that the account does not know');
  expect(await logIn(email, goodPassword, stranger)).toBe(200);
});

test('unlocking ends the lock-outs where the password is asked again and after wrong PINs of a computer', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const again = async () => (await server.call('POST /web/reauthenticate', { token, body: { password: goodPassword } })).status;
  const pin = async () => (await server.call('POST /agent/pin', { token: agent, body: { pin: '194735' } })).status;
  for (let i = 0; i < 10; i++) await again();
  for (let i = 0; i < serverLimits.pin_tries; i++) await pin();
  expect([await again(), await pin()]).toEqual([429, 429]);
  const { out } = await unlock(email);
  expect(out).toContain('  wrong passwords where the password is asked again\n');
  expect(out).toContain('  wrong PINs that its computers sent to the server\n');
  expect([await again(), await pin()]).toEqual([200, 200]);
});

test('the command names no lock-out where nothing is locked, nor a lock-out that has ended by itself', async () => {
  const { token, email } = await newcomer(server);
  expect((await unlock(email)).out).toMatch(/^Nothing of .+ was locked/);
  for (let i = 0; i < 11; i++) await server.call('POST /web/reauthenticate', { token, body: { password: goodPassword } });
  server.clock.turn(300_001);
  expect((await unlock(email)).out).toMatch(/^Nothing of .+ was locked/);
});

test('confirming marks the address once, ends the link in the email, and leaves other accounts and a new address unconfirmed', async () => {
  const register = (email: string) =>
    server.call('POST /register', {
      body: { name: 'Ann', email, password: goodPassword, promo: null, signup_code: null },
      headers: { 'x-forwarded-for': fakeAddress() },
    });
  const [email, other] = ['seen@example.org', 'unseen@example.org'];
  for (const one of [email, other]) await register(one);
  await server.db.updateTable('accounts').set({ pending_email: 'new@example.org' }).where('email', '=', email).execute();
  const still = 'The new address that was asked for still waits for its own confirmation.\n';
  const confirm = () => run('accounts', 'confirm', '--email', email);
  expect(await confirm()).toEqual({ code: 0, out: `${email} is confirmed now.\n${still}`, err: '' });
  expect(await confirm()).toEqual({ code: 0, out: `${email} is confirmed already; nothing changed.\n${still}`, err: '' });
  const rows = await server.db
    .selectFrom('accounts')
    .select(['email', 'email_verified', 'pending_email'])
    .where('email', 'in', [email, other])
    .orderBy('email')
    .execute();
  expect(rows).toEqual([
    { email, email_verified: true, pending_email: 'new@example.org' },
    { email: other, email_verified: false, pending_email: null },
  ]);
  expect(
    (
      await server.db
        .selectFrom('email_links')
        .select('email')
        .where('purpose', '=', 'confirm')
        .where('email', 'in', [email, other])
        .execute()
    ).map((row) => row.email),
  ).toEqual([other]);
});
