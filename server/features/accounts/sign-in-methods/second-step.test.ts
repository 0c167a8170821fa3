import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticatorApp } from '../../../testing/authenticator-app.ts';
import { fakeAddress, goodPassword, linkIn, newcomer, type TestServer, testServer } from '../../../testing/world.ts';

let server: TestServer;
let otherServer: TestServer;
beforeAll(async () => {
  server = await testServer();
  otherServer = await testServer({}, undefined, { otherServer: server });
});
afterAll(async () => {
  await otherServer.close();
  await server.close();
});

const logIn = (email: string, code?: string, { password = goodPassword, at = server } = {}) =>
  at.call('POST /login/web', { body: { email, password, code }, headers: { 'x-forwarded-for': fakeAddress() } });
const answer = async (reply: ReturnType<typeof logIn>) => {
  const { status, body } = await reply;
  return status === 200 ? 'logged in' : `${status} ${body.code}`;
};
const wrongCode = '400 sign_in_code_wrong';

async function withApp() {
  const ann = await newcomer(server);
  return { ...ann, app: await authenticatorApp(server, ann.token) };
}
const codesOf = ({ app }: Awaited<ReturnType<typeof withApp>>) => app.recovery_codes ?? [];

describe('a log-in with an authenticator app', () => {
  test('[P13.1] takes the right password and a code; the password alone answers that one more step is needed', async () => {
    const { email, app } = await withApp();
    expect(await answer(logIn(email))).toBe('400 second_step_needed');
    expect(await answer(logIn(email, '000000'))).toBe(wrongCode);
    const { status, body } = await logIn(email, app.nextCode());
    expect(status).toBe(200);
    expect((await server.call('GET /web/profile', { token: String(body.web_token) })).body.email).toBe(email);
  });

  test('[P13.1] takes each code once, also the first, which set up the app', async () => {
    const { email, app } = await withApp();
    expect(await answer(logIn(email, app.code()))).toBe(wrongCode);
    const code = app.nextCode();
    expect(await answer(logIn(email, code))).toBe('logged in');
    expect(await answer(logIn(email, code))).toBe(wrongCode);
    expect(await answer(logIn(email, app.nextCode()))).toBe('logged in');
  });

  test('takes a code of the half minute before or after, none further away, and none older than the newest used', async () => {
    const { email, app } = await withApp();
    server.clock.turn(300_000);
    for (const steps of [-2, 2]) expect(await answer(logIn(email, app.code(steps)))).toBe(wrongCode);
    for (const steps of [-1, 0, 1]) expect(await answer(logIn(email, app.code(steps)))).toBe('logged in');
    for (const steps of [-1, 0, 1]) expect(await answer(logIn(email, app.code(steps)))).toBe(wrongCode);
  });

  test('takes a code that is typed as the app shows it, with a space', async () => {
    const { email, app } = await withApp();
    expect(await answer(logIn(email, app.nextCode().replace(/^.../, '$& ')))).toBe('logged in');
  });

  test('opens one session when two servers get the same code at the same time', async () => {
    const { email, app } = await withApp();
    const code = app.nextCode();
    otherServer.clock.turn(server.clock.now().getTime() - otherServer.clock.now().getTime());
    const at = [server, otherServer];
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => answer(logIn(email, code, { at: at[n % 2] as TestServer }))));
    expect(answers.toSorted()).toEqual([...Array(5).fill(wrongCode), 'logged in']);
  });

  test('is not changed by the app of someone else: its codes are wrong, and who has no app logs in with the password alone', async () => {
    const [ann, eve, ben] = [await withApp(), await withApp(), await newcomer(server)];
    expect(await answer(logIn(ann.email, eve.app.nextCode()))).toBe(wrongCode);
    expect(await answer(logIn(ann.email, codesOf(eve)[0]))).toBe(wrongCode);
    expect(await answer(logIn(ben.email))).toBe('logged in');
    expect(await answer(logIn(ben.email, '000000'))).toBe('logged in');
  });

  test('[P13.1] shows with a wrong password neither whether there is an app nor whether the code is right', async () => {
    const { email, app } = await withApp();
    const plain = await newcomer(server);
    const replyTo = async (address: string, code?: string) => {
      const { status, body, headers } = await logIn(address, code, { password: 'not the password' });
      return { status, ...body, request_id: '', cookies: headers['set-cookie'] };
    };
    const unknown = await replyTo('nobody-at-all@example.org');
    expect(unknown).toMatchObject({ status: 400, code: 'login_wrong', cookies: undefined });
    const code = app.nextCode();
    for (const reply of [await replyTo(email), await replyTo(email, code), await replyTo(email, '1'), await replyTo(plain.email, code)])
      expect(reply).toEqual(unknown);
    // The code was not used up.
    expect(await answer(logIn(email, code))).toBe('logged in');
  });

  test('is still asked for a code after a new password, and after a reset by email', async () => {
    const { email, token, app } = await withApp();
    const password = 'another good password';
    const change = { password, current_password: goodPassword };
    expect((await server.call('PATCH /web/profile', { token, body: change })).status).toBe(200);
    expect(await answer(logIn(email, undefined, { password }))).toBe('400 second_step_needed');
    await server.call('POST /forgot-password', { body: { email }, headers: { 'x-forwarded-for': fakeAddress() } });
    const mail = (await server.mailsTo(email)).find(({ subject }) => subject === 'Choose a new password');
    const reset = { token: linkIn(mail, '/reset-password/'), password: 'a third good password' };
    const headers = { 'x-forwarded-for': fakeAddress() };
    expect((await server.call('POST /reset-password', { body: reset, headers })).status).toBe(200);
    expect(await answer(logIn(email, undefined, reset))).toBe('400 second_step_needed');
    expect(await answer(logIn(email, app.nextCode(), reset))).toBe('logged in');
  });
});

describe('a log-in with a recovery code', () => {
  test('[P13.1] works once for each of the ten codes, however they are typed', async () => {
    const ann = await withApp();
    const codes = codesOf(ann);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9a-z]{4}(-[2-9a-z]{4}){2}$/);
    const spellings = [(code: string) => code, (code: string) => ` ${code.toUpperCase().replaceAll('-', ' ')} `];
    spellings.push((code) => code.replaceAll('-', ''));
    spellings.push((code) => code.replaceAll('-', '–'));
    for (const [n, spell] of spellings.entries()) {
      const code = spell(codes[n] ?? '');
      expect(await answer(logIn(ann.email, code))).toBe('logged in');
      expect(await answer(logIn(ann.email, code))).toBe(wrongCode);
    }
    // The app works beside them.
    expect(await answer(logIn(ann.email, ann.app.nextCode()))).toBe('logged in');
  });

  test('opens one session when two servers get the same code at the same time', async () => {
    const ann = await withApp();
    const [code] = codesOf(ann);
    const at = [server, otherServer];
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => answer(logIn(ann.email, code, { at: at[n % 2] as TestServer }))));
    expect(answers.toSorted()).toEqual([...Array(5).fill(wrongCode), 'logged in']);
  });

  test('is logged with the number of codes left, and the holder gets an email about each', async () => {
    const ann = await withApp();
    for (const code of codesOf(ann).slice(0, 2)) expect(await answer(logIn(ann.email, code))).toBe('logged in');
    const { body } = await server.call('GET /web/acts', { token: ann.token });
    const words = (body.items as unknown as { kind: string; words: string }[]).filter(({ kind }) => kind === 'recovery_code_used');
    expect(words.map((item) => item.words).toSorted()).toEqual([
      'Ann logged in with a recovery code (8 left).',
      'Ann logged in with a recovery code (9 left).',
    ]);
    const texts = (await server.mailsTo(ann.email)).map(({ text }) => text);
    for (const left of [8, 9])
      expect(texts.filter((text) => text.includes(`You logged in with a recovery code (${left} left).`))).toHaveLength(1);
  });

  test('works for an account whose only second step is a passkey, where six digits never do', async () => {
    const ann = await withApp();
    const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', ann.email).executeTakeFirstOrThrow();
    // A passkey that no browser made: nothing reads it here.
    const bytes = Buffer.from(uuid);
    const made = { credential_id: bytes, public_key: bytes, counter: 0, name: 'Phone', created: server.clock.now() };
    await server.db
      .insertInto('passkeys')
      .values({ uuid, account: uuid, ...made })
      .execute();
    const remove = () => server.call('POST /web/authenticator/remove', { token: ann.token, body: { current_password: goodPassword } });
    expect((await remove()).status).toBe(200);
    expect(await answer(logIn(ann.email))).toBe('400 second_step_needed');
    expect(await answer(logIn(ann.email, ann.app.nextCode()))).toBe(wrongCode);
    expect(await answer(logIn(ann.email, codesOf(ann)[0]))).toBe('logged in');
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
