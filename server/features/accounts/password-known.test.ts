import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticatorApp } from '../../testing/authenticator-app.ts';
import { fakeAddress, goodPassword, newcomer, type TestServer, testServer, until } from '../../testing/world.ts';

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

interface Try {
  code?: string | undefined;
  password?: string;
  cookie?: string;
  at?: TestServer;
}
const logIn = (email: string, { code = '000000', password = goodPassword, cookie, at = server }: Try = {}) =>
  at.call('POST /login/web', {
    body: { email, password, code },
    headers: { 'x-forwarded-for': fakeAddress(), ...(cookie === undefined ? {} : { cookie }) },
  });
const guess = async (email: string, count: number, attempt: Try = {}) => {
  const answers: string[] = [];
  for (let n = 0; n < count; n++) answers.push(String((await logIn(email, attempt)).body.code));
  return answers;
};
const warnings = async (email: string) =>
  (await server.mailsTo(email)).filter(({ subject }) => subject === 'Someone may know your password');
const withApp = async () => {
  const ann = await newcomer(server);
  return { ...ann, app: await authenticatorApp(server, ann.token) };
};
const wrong = 'sign_in_code_wrong';

describe('wrong codes after the right password', () => {
  test('[P13.1] three within an hour, in a browser that the account does not know, cause an email with a link to a new password', async () => {
    const [ann, eve] = [await withApp(), await withApp()];
    expect(await guess(ann.email, 2)).toEqual([wrong, wrong]);
    expect(await warnings(ann.email)).toEqual([]);
    expect(await guess(ann.email, 1)).toEqual([wrong]);
    const [warning] = await warnings(ann.email);
    expect(warning?.text).toContain('/dashboard/forgot-password');
    expect(await warnings(eve.email)).toEqual([]);
  });

  test('cause one email a day, however many they are and whichever server they reach', async () => {
    const { email } = await withApp();
    const at = [server, otherServer];
    otherServer.clock.turn(server.clock.now().getTime() - otherServer.clock.now().getTime());
    const answers = await Promise.all(Array.from({ length: 9 }, (_, n) => guess(email, 3, { at: at[n % 2] as TestServer })));
    expect(answers.flat()).toEqual(Array(27).fill(wrong));
    // Strangers have thirty tries a day; further ones change nothing.
    expect(await guess(email, 9)).toContain('login_guarded');
    expect(await warnings(email)).toHaveLength(1);
    server.clock.turn(serverLimits.login_code_warning_every);
    await guess(email, 2);
    expect(await warnings(email)).toHaveLength(1);
    await guess(email, 1);
    expect(await warnings(email)).toHaveLength(2);
  });

  test('cause no email when they are fewer than three an hour, and none in the holder’s own browser', async () => {
    const [ann, eve] = [await withApp(), await withApp()];
    for (let hours = 0; hours < 3; hours++) {
      await guess(ann.email, 2);
      server.clock.turn(hour);
    }
    expect(await warnings(ann.email)).toEqual([]);
    const { headers } = await logIn(eve.email, { code: eve.app.nextCode() });
    const cookie = String([headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
    expect(await guess(eve.email, 5, { cookie })).toEqual(Array(5).fill(wrong));
    expect(await warnings(eve.email)).toEqual([]);
    await guess(eve.email, 3);
    expect(await warnings(eve.email)).toHaveLength(1);
  });

  test('with a wrong password cause none, and get the same answer as an unknown address', async () => {
    const { email } = await withApp();
    const password = 'not the password';
    expect(await guess(email, 5, { password })).toEqual(Array(5).fill('login_wrong'));
    expect(await guess('nobody-at-all@example.org', 5, { password })).toEqual(Array(5).fill('login_wrong'));
    expect(await warnings(email)).toEqual([]);
  });
});

test('[P13.1] a log-in with the old password that waits while a new one is set opens no session; another account’s log-in does', async () => {
  const [ann, eve] = [await newcomer(server), await newcomer(server)];
  const plain = async ({ email }: { email: string }) => {
    const { status, body } = await server.call('POST /login/web', {
      body: { email, password: goodPassword },
      headers: { 'x-forwarded-for': fakeAddress() },
    });
    return status === 200 ? 'done' : body.code;
  };
  const sessionsOf = async (email: string) => {
    const rows = server.db.selectFrom('sessions').innerJoin('accounts', 'accounts.uuid', 'sessions.account').where('email', '=', email);
    return (await rows.select('sessions.uuid').execute()).length;
  };
  const answers: Promise<unknown>[] = [];
  // A reset does the same, and has not ended yet: the log-in still reads the old hash.
  await server.db.transaction().execute(async (trx) => {
    await trx.updateTable('accounts').set({ password_hash: 'of another password' }).where('email', '=', ann.email).execute();
    answers.push(plain(ann));
    const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%password_hash%'`;
    await until('the log-in to wait', async () => (await waiting.execute(server.db)).rows[0]?.n === 1);
    expect(await plain(eve)).toBe('done');
    await trx
      .deleteFrom('sessions')
      .where('account', 'in', trx.selectFrom('accounts').select('uuid').where('email', '=', ann.email))
      .execute();
  });
  expect(await Promise.all(answers)).toEqual(['login_wrong']);
  expect([await sessionsOf(ann.email), await sessionsOf(eve.email)]).toEqual([0, 2]);
});
