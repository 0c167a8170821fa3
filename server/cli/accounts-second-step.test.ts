import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticatorApp } from '../testing/authenticator-app.ts';
import {
  activeGuardian,
  detection,
  fakeAddress,
  goodPassword,
  linkedDevice,
  newcomer,
  person,
  type TestServer,
  testServer,
} from '../testing/world.ts';
import { runCommand } from './run.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const run = (email: string, ...args: string[]) => {
  const { database_url: DATABASE_URL, config } = server;
  const env = { DATABASE_URL, DATA_DIR: config.data_dir, PUBLIC_URL: config.public_url };
  const settings = () => ({ ...env, SECRET_KEY: 'a secret key for tests, thirty-two characters' });
  return runCommand(['accounts', 'unlock', '--email', email, ...args], settings, server.clock);
};
const logIn = async (email: string, code?: string, from = fakeAddress()) => {
  const { status, body } = await server.call('POST /login/web', {
    body: { email, password: goodPassword, code },
    headers: { 'x-forwarded-for': from },
  });
  return status === 200 ? 'logged in' : String(body.code);
};
const sentence = 'Porchlight support removed an authenticator app and the recovery codes from the ways to log in.';

test('[P13.1] unlocking without the second step lets the password alone log in, of this account only, and notifies the holder and the guardians', async () => {
  const [ann, eve] = [await person(server), await person(server)];
  const bob = await activeGuardian(server, ann.token);
  const [app, other] = [await authenticatorApp(server, ann.token), await authenticatorApp(server, eve.token)];
  const { code, out } = await run(ann.email.toUpperCase(), '--without-second-step');
  expect(code).toBe(0);
  expect(out).toMatch(/^The password alone logs in to .+ now\. Removed: an authenticator app and the recovery codes\.\nThe holder and all/);
  expect(await logIn(ann.email)).toBe('logged in');
  expect(await logIn(eve.email)).toBe('second_step_needed');
  expect(await logIn(eve.email, other.recovery_codes?.[0])).toBe('logged in');
  for (const address of [ann.email, bob.email])
    expect((await server.mailsTo(address)).filter(({ text }) => text.includes(sentence))).toHaveLength(1);
  expect((await server.mailsTo(eve.email)).filter(({ text }) => text.includes(sentence))).toEqual([]);
  const { body } = await server.call('GET /web/acts', { token: ann.token });
  expect((body.items as unknown as { words: string; by: string }[]).find(({ words }) => words === sentence)?.by).toBe('Porchlight support');
  // Earlier codes are of no use with a new app.
  await authenticatorApp(server, ann.token);
  expect(await logIn(ann.email, app.recovery_codes?.[0])).toBe('sign_in_code_wrong');
});

test('where there is no second step, the command says so and notifies nobody', async () => {
  const { email, token } = await newcomer(server);
  const before = (await server.mailsTo(email)).length;
  const { code, out } = await run(email, '--without-second-step');
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^.+ has neither an authenticator app nor a passkey; the password alone logs in\./),
  ]);
  expect(await server.mailsTo(email)).toHaveLength(before);
  expect((await server.call('GET /web/acts', { token })).body.items).toEqual([]);
});

test('passkeys are removed too, and counted', async () => {
  const { email } = await newcomer(server);
  const { uuid: account } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  const made = { account, public_key: Buffer.from('x'), counter: 0, name: 'Phone', created: server.clock.now() };
  const passkeys = [
    { ...made, uuid: account, credential_id: Buffer.from(account) },
    { ...made, uuid: account.replace(/^./, (c) => (c === '0' ? '1' : '0')), credential_id: Buffer.from(`${account}2`) },
  ];
  await server.db.insertInto('passkeys').values(passkeys).execute();
  expect(await logIn(email)).toBe('second_step_needed');
  expect((await run(email, '--without-second-step')).out).toContain('Removed: 2 passkeys.\n');
  expect(await logIn(email)).toBe('logged in');
});

test('while an incident is open the command refuses and changes nothing, and --during-incident removes', async () => {
  const { email, token } = await person(server);
  await authenticatorApp(server, token);
  const { agent } = await linkedDevice(server, token);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
  expect(await run(email, '--without-second-step')).toEqual({
    ...{ code: 1, out: '' },
    err: expect.stringMatching(/^Nothing was removed\. An incident of .+ may be a scammer\..+--during-incident\.\n$/),
  });
  expect(await logIn(email)).toBe('second_step_needed');
  expect((await run(email, '--without-second-step', '--during-incident')).code).toBe(0);
  expect(await logIn(email)).toBe('logged in');
});

test('--during-incident alone is a wrong use of the command', async () => {
  const { email } = await newcomer(server);
  expect(await run(email, '--during-incident')).toMatchObject({ code: 2, out: '' });
});

test('unlocking ends the lock-outs after wrong codes, and leaves the second step', async () => {
  const { email, token } = await newcomer(server);
  const app = await authenticatorApp(server, token);
  const stranger = fakeAddress();
  for (let i = 0; i < serverLimits.login_code_tries; i++) {
    server.clock.turn(61_000);
    await logIn(email, '000000', stranger);
  }
  // The limit of passwords ends before that of codes where the account knows the browser; here it is unlocked as well.
  server.clock.turn(61_000);
  expect(await logIn(email, app.nextCode(), stranger)).toBe('too_many');
  const { out } = await run(email);
  expect(out).toContain('  wrong codes at the login, after the right password\n');
  expect(await logIn(email, app.nextCode(), stranger)).toBe('logged in');
  expect(await logIn(email)).toBe('second_step_needed');
});

test('unlocking ends the lock-out after wrong codes from everywhere', async () => {
  const { email, token } = await newcomer(server);
  const app = await authenticatorApp(server, token);
  for (let i = 0; i < serverLimits.login_code_tries_elsewhere; i++) await logIn(email, '000000');
  const stranger = fakeAddress();
  expect(await logIn(email, app.nextCode(), stranger)).toBe('login_guarded');
  await run(email);
  expect(await logIn(email, app.nextCode(), stranger)).toBe('logged in');
});
