import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticatorApp, beginApp } from '../../../testing/authenticator-app.ts';
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
} from '../../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const proof = { current_password: goodPassword };
const post = (path: string, token: string, body: object = proof) => server.call(`POST /web/${path}`, { token, body });
const answer = async (reply: ReturnType<typeof post>) => {
  const { status, body } = await reply;
  return status === 200 ? 'done' : `${status} ${body.code}`;
};
const logIn = async (email: string, code?: string) =>
  answer(server.call('POST /login/web', { body: { email, password: goodPassword, code }, headers: { 'x-forwarded-for': fakeAddress() } }));
const codesIn = async (reply: ReturnType<typeof post>) => (await reply).body.recovery_codes as unknown as string[];
const accountOf = async (email: string) =>
  (await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow()).uuid;
const expired = '410 setup_expired';

describe('setting up an authenticator app', () => {
  test('[P13.1] takes the password again and the first code, and gives ten recovery codes once', async () => {
    const { token, email } = await newcomer(server);
    const { setup, secret, uri, code } = await beginApp(server, token);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`secret=${secret}`);
    expect(decodeURIComponent(uri)).toContain(`Porchlight:${email}?issuer=Porchlight`);
    // Begun is not done.
    expect(await logIn(email)).toBe('done');
    expect(await answer(post('authenticator', token, { setup, code: code(-2) }))).toBe('400 sign_in_code_wrong');
    expect(await logIn(email)).toBe('done');
    const codes = await codesIn(post('authenticator', token, { setup, code: code() }));
    expect(new Set(codes).size).toBe(serverLimits.recovery_codes);
    expect(await logIn(email)).toBe('400 second_step_needed');
  });

  test('[P13.1] begins with neither a wrong password nor none', async () => {
    const { token } = await newcomer(server);
    expect(await answer(post('authenticator/begin', token, { current_password: 'not the password' }))).toBe('400 password_wrong');
    expect(await answer(post('authenticator/begin', token, {}))).toBe('422 invalid_input');
  });

  test('takes 15 minutes at most', async () => {
    const { token, email } = await newcomer(server);
    const [late, inTime] = [await beginApp(server, token), await beginApp(server, token)];
    server.clock.turn(serverLimits.authenticator_setup_life - 1);
    expect(await answer(post('authenticator', token, { setup: inTime.setup, code: inTime.code() }))).toBe('done');
    server.clock.turn(1);
    expect(await answer(post('authenticator', token, { setup: late.setup, code: late.code() }))).toBe(expired);
    expect(await logIn(email, inTime.code(1))).toBe('done');
  });

  test('takes neither the set-up of someone else, nor of another session, nor what was not sealed as one', async () => {
    const [ann, eve] = [await newcomer(server), await newcomer(server)];
    const { setup, code } = await beginApp(server, ann.token);
    const headers = { 'x-forwarded-for': fakeAddress() };
    const login = await server.call('POST /login/web', { body: { email: ann.email, password: goodPassword }, headers });
    const first = { code: code() };
    for (const token of [eve.token, String(login.body.web_token)])
      expect(await answer(post('authenticator', token, { setup, ...first }))).toBe(expired);
    const { sealed_pin } = await pinOf(ann);
    for (const text of ['', 'x', `${setup}x`, setup.slice(1), sealed_pin])
      expect(await answer(post('authenticator', ann.token, { setup: text, ...first }))).toBe(expired);
    expect(await logIn(eve.email)).toBe('done');
    expect(await answer(post('authenticator', ann.token, { setup, ...first }))).toBe('done');
  });

  test('replaces the former app, whose codes no longer work; recovery codes stay as they are', async () => {
    const { token, email } = await newcomer(server);
    const former = await authenticatorApp(server, token);
    server.clock.turn(90_000);
    const app = await authenticatorApp(server, token);
    expect(app.recovery_codes).toBeNull();
    expect(await logIn(email, former.nextCode())).toBe('400 sign_in_code_wrong');
    expect(await logIn(email, former.recovery_codes?.[3])).toBe('done');
    expect(await logIn(email, app.nextCode())).toBe('done');
  });

  test('[P13.1] takes each set-up once: sent again it makes no used code valid again, and brings back no app that was removed', async () => {
    const [ann, eve] = [await newcomer(server), await newcomer(server)];
    const [app, other] = [await authenticatorApp(server, ann.token), await beginApp(server, eve.token)];
    const first = app.code();
    const used = app.nextCode();
    expect(await logIn(ann.email, used)).toBe('done');
    expect(await answer(post('authenticator', ann.token, { setup: app.setup, code: first }))).toBe(expired);
    expect(await logIn(ann.email, used)).toBe('400 sign_in_code_wrong');
    expect(await logIn(ann.email, app.nextCode())).toBe('done');
    expect(await answer(post('authenticator/remove', ann.token))).toBe('done');
    expect(await answer(post('authenticator', ann.token, { setup: app.setup, code: app.code() }))).toBe(expired);
    expect(await logIn(ann.email)).toBe('done');
    // A set-up that nobody used still counts.
    expect(await answer(post('authenticator', eve.token, { setup: other.setup, code: other.code() }))).toBe('done');
  });

  test('counts one of several calls with the same set-up at the same time', async () => {
    const ann = await newcomer(server);
    const { setup, code } = await beginApp(server, ann.token);
    const answers = await Promise.all(Array.from({ length: 4 }, () => answer(post('authenticator', ann.token, { setup, code: code() }))));
    expect(answers.toSorted()).toEqual([expired, expired, expired, 'done'].toSorted());
  });
});

describe('removing the authenticator app', () => {
  test('[P13.1] takes the password again, and with the last way the recovery codes go; someone else’s stay', async () => {
    const [ann, eve] = [await newcomer(server), await newcomer(server)];
    const [app, other] = [await authenticatorApp(server, ann.token), await authenticatorApp(server, eve.token)];
    expect(await answer(post('authenticator/remove', ann.token, { current_password: 'not the password' }))).toBe('400 password_wrong');
    expect(await logIn(ann.email)).toBe('400 second_step_needed');
    expect(await answer(post('authenticator/remove', ann.token))).toBe('done');
    expect(await logIn(ann.email)).toBe('done');
    expect(await answer(post('authenticator/remove', ann.token))).toBe('404 not_found');
    expect(await answer(post('recovery-codes', ann.token))).toBe('409 second_step_missing');
    expect(await logIn(eve.email)).toBe('400 second_step_needed');
    expect(await logIn(eve.email, other.recovery_codes?.[0])).toBe('done');
    // A new app comes with new codes, and the former ones are dead.
    const again = await authenticatorApp(server, ann.token);
    expect(again.recovery_codes).toHaveLength(serverLimits.recovery_codes);
    expect(await logIn(ann.email, app.recovery_codes?.[0])).toBe('400 sign_in_code_wrong');
    expect(await logIn(ann.email, again.recovery_codes?.[0])).toBe('done');
  });
});

describe('new recovery codes', () => {
  test('[P13.1] take the password again, and end the former ones', async () => {
    const { token, email } = await newcomer(server);
    const app = await authenticatorApp(server, token);
    expect(await answer(post('recovery-codes', token, {}))).toBe('422 invalid_input');
    const codes = await codesIn(post('recovery-codes', token));
    expect(new Set([...codes, ...(app.recovery_codes ?? [])]).size).toBe(2 * serverLimits.recovery_codes);
    expect(await logIn(email, app.recovery_codes?.[0])).toBe('400 sign_in_code_wrong');
    for (const code of codes.slice(-2)) expect(await logIn(email, code)).toBe('done');
  });

  test('are not made without a passkey or an authenticator app', async () => {
    const { token } = await newcomer(server);
    expect(await answer(post('recovery-codes', token))).toBe('409 second_step_missing');
  });
});

test('[P13.1] the holder and the guardians are notified of each change, and none waits for a yes in an incident', async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const { agent } = await linkedDevice(server, token);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
  expect((await server.call('GET /web/bypasspassword', { token })).body.code).toBe('held');
  const app = await authenticatorApp(server, token);
  expect(await answer(post('recovery-codes', token))).toBe('done');
  expect(await answer(post('authenticator/remove', token))).toBe('done');
  expect(app.recovery_codes).toHaveLength(serverLimits.recovery_codes);
  const sentences: [logged: string, toGuardian: string][] = [
    ['added an authenticator app to log in with.', 'Ann’s account has a new way to log in: an authenticator app.'],
    ['made new recovery codes.', 'New recovery codes were made for Ann’s account.'],
    ['removed an authenticator app from the ways to log in.', 'Ann’s account lost a way to log in: an authenticator app.'],
  ];
  const { body } = await server.call('GET /web/acts', { token });
  const words = (body.items as unknown as { words: string }[]).map((item) => item.words);
  for (const [sentence, toGuardian] of sentences) {
    expect(words).toContain(`Ann ${sentence}`);
    // The holder's email about an addition does not assume that it was the holder.
    const toHolder = sentence.startsWith('added') ? 'Someone added an authenticator app to log in with' : `You ${sentence}`;
    for (const [address, expected] of [
      [email, toHolder],
      [bob.email, toGuardian],
    ] as const)
      expect((await server.mailsTo(address)).filter(({ text }) => text.includes(expected))).toHaveLength(1);
    const toBob = (await server.mailsTo(bob.email)).find(({ text }) => text.includes(toGuardian));
    expect(toBob?.text).toContain('We can’t see who did it.');
  }
});

test('neither the database, nor the log, nor an export shows a secret, a set-up or a recovery code', async () => {
  const { token, email } = await newcomer(server);
  const app = await authenticatorApp(server, token);
  const account = await accountOf(email);
  const { sealed_secret } = await server.db
    .selectFrom('authenticators')
    .select('sealed_secret')
    .where('account', '=', account)
    .executeTakeFirstOrThrow();
  const hashes = await server.db.selectFrom('recovery_codes').select('code_hash').where('account', '=', account).execute();
  const exported = (await server.call('POST /web/account/download', { token, body: { current_password: goodPassword, format: 'json' } }))
    .body.content as unknown as string;
  expect(exported).toContain('"authenticators":');
  const stored = JSON.stringify([sealed_secret, ...hashes.map(({ code_hash }) => code_hash.toString('latin1'))]);
  const codes = (app.recovery_codes ?? []).flatMap((code) => [code, code.replaceAll('-', '')]);
  for (const secret of [app.secret, app.setup, ...codes]) {
    expect(stored).not.toContain(secret);
    expect(server.logged()).not.toContain(secret);
    expect(exported).not.toContain(secret);
  }
  for (const secret of [sealed_secret, ...hashes.flatMap(({ code_hash }) => [code_hash.toString('hex'), code_hash.toString('base64')])])
    expect(exported).not.toContain(secret);
});

/** Sealed by the same server, for another purpose. */
async function pinOf({ token, email }: { token: string; email: string }) {
  await server.call('GET /web/bypasspassword', { token });
  const row = server.db.selectFrom('accounts').select('sealed_pin').where('email', '=', email);
  return { sealed_pin: (await row.executeTakeFirstOrThrow()).sealed_pin ?? '' };
}
