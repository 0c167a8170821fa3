import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword, person, type TestServer, testServer } from '../../testing/world.ts';
import { sessionStore } from './sessions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const login = (email: string, n: number, userAgent: string, cookie = '') =>
  server.call('POST /login/web', {
    body: { email, password: goodPassword },
    headers: { 'x-forwarded-for': `198.18.30.${n}`, 'user-agent': userAgent, ...(cookie ? { cookie } : {}) },
  });
const cookieOf = (reply: { headers: Record<string, unknown> }) => String([reply.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
const sessionsOf = async (token: string) => (await server.call('GET /web/accounts/sessions', { token })).body.sessions;
const subjects = async (email: string) => (await server.mailsTo(email)).map((mail) => mail.subject);
const newBrowser = 'Someone logged in from a new browser';

test('the list of sessions shows the browser, the time of last use and the current session, most recently used first', async () => {
  const { token, email } = await person(server);
  server.clock.turn(3_600_000);
  const otherToken = String((await login(email, 1, windows)).body.web_token);
  expect(await sessionsOf(otherToken)).toMatchObject([
    { browser: 'Firefox on Windows', current: true, last_used: server.clock.now().toISOString() },
    { current: false },
  ]);
  server.clock.turn(60_001);
  expect(await sessionsOf(token)).toMatchObject([{ current: true }, { current: false }]);
});

test('a session can be ended from another one, and its token then opens nothing', async () => {
  const { token, email } = await person(server);
  const otherToken = String((await login(email, 2, iphone)).body.web_token);
  const list = (await sessionsOf(token)) as unknown as { uuid: string; browser: string; current: boolean }[];
  expect(list.find((s) => !s.current)?.browser).toBe('Safari on iOS');
  const otherSession = list.find((s) => !s.current)?.uuid;
  expect((await server.call(`DELETE /web/accounts/sessions/${otherSession}`, { token })).status).toBe(200);
  expect((await server.call('GET /web/profile', { token: otherToken })).status).toBe(401);
  expect((await server.call('GET /web/profile', { token })).status).toBe(200);
  expect((await server.call(`DELETE /web/accounts/sessions/${otherSession}`, { token })).status).toBe(404);
});

test('a session that was not used for 30 days is not in the list', async () => {
  const { token, email } = await person(server);
  server.clock.turn(30 * 24 * 3_600_000);
  const currentToken = String((await login(email, 3, windows)).body.web_token);
  expect(await sessionsOf(currentToken)).toHaveLength(1);
  expect((await server.call('GET /web/profile', { token })).status).toBe(401);
});

test('[P13.1] a session ends 90 days after its login, however often it is used, while a later one goes on', async () => {
  const { token, email } = await person(server);
  const use = async (days: number) => {
    for (let day = 0; day < days; day += 10) {
      server.clock.turn(10 * 24 * 3_600_000);
      await sessionsOf(token);
    }
  };
  await use(70);
  const laterToken = String((await login(email, 5, windows)).body.web_token);
  await use(10);
  server.clock.turn(10 * 24 * 3_600_000 - 1000);
  expect(await sessionsOf(token)).toHaveLength(2);
  server.clock.turn(1000);
  expect((await server.call('GET /web/profile', { token })).status).toBe(401);
  expect(await sessionsOf(laterToken)).toHaveLength(1);
});

test('[P13.1] logging out everywhere ends all sessions of the account, this one included, and none of another account', async () => {
  const { token, email } = await person(server);
  const neighbour = await person(server);
  const otherToken = String((await login(email, 6, iphone)).body.web_token);
  expect((await server.call('POST /web/logout-everywhere', { token: otherToken })).status).toBe(200);
  for (const ended of [token, otherToken]) expect((await server.call('GET /web/profile', { token: ended })).status).toBe(401);
  expect((await server.call('GET /web/profile', { token: neighbour.token })).status).toBe(200);
  const again = String((await login(email, 6, iphone)).body.web_token);
  expect((await server.call('GET /web/acts', { token: again })).body.items).toMatchObject([
    { words: 'Ann logged out everywhere.', undo: { way: 'new_password' } },
  ]);
  expect((await server.mailsTo(email)).map(({ text }) => text)).toContainEqual(expect.stringContaining('You logged out everywhere.'));
});

test('the first browser causes no email; a new one causes an email with its name and the time, and a known one causes none', async () => {
  const email = 'browsers@example.org';
  await server.call('POST /register', { body: { name: 'Ann', email, password: goodPassword } });
  const homeCookie = cookieOf(await login(email, 4, windows));
  expect(await subjects(email)).not.toContain(newBrowser);
  const phoneCookie = cookieOf(await login(email, 4, iphone));
  const [mail] = await server.mailsTo(email);
  expect(mail?.subject).toBe(newBrowser);
  expect(mail?.text).toContain('Safari on iOS');
  expect(mail?.text).toMatch(/at \d+:\d\d [AP]M UTC( on)? \w+, \w+ \d+/);
  expect(mail?.text).toContain('/dashboard/forgot-password');
  for (const cookie of [homeCookie, phoneCookie]) await login(email, 4, windows, cookie);
  expect((await subjects(email)).filter((subject) => subject === newBrowser)).toHaveLength(1);
});

test('a browser that is known to one account is still new to another', async () => {
  const [a, b] = [await person(server), await person(server)];
  const sharedCookie = cookieOf(await login(a.email, 5, windows));
  await login(b.email, 5, windows, sharedCookie);
  expect((await subjects(b.email))[0]).toBe(newBrowser);
});

test('the browser cookie identifies nobody, gives no access and is hidden from scripts', async () => {
  const { email } = await person(server);
  const reply = await login(email, 6, windows);
  expect(String([reply.headers['set-cookie']].flat()[0])).toMatch(/^browser=[\w-]{43}; Max-Age=\d+; Path=\/api; HttpOnly; SameSite=Lax$/);
  expect((await server.call('GET /web/profile', { headers: { cookie: cookieOf(reply) } })).status).toBe(401);
});

test('wrong passwords from unknown browsers lock out only unknown browsers; a known browser has ten attempts of its own', async () => {
  const { email } = await person(server);
  const homeCookie = cookieOf(await login(email, 8, windows));
  const otherCookie = cookieOf(await login((await person(server)).email, 8, windows));
  const guess = (n: number, cookie = '') =>
    server.call('POST /login/web', {
      body: { email, password: 'wrong' },
      headers: { 'x-forwarded-for': `198.18.31.${n}`, ...(cookie ? { cookie } : {}) },
    });
  for (let i = 0; i < serverLimits.login_tries_elsewhere; i++) await guess(100 + i);
  expect((await guess(20)).status).toBe(429);
  expect((await guess(21, otherCookie)).status).toBe(429);
  expect((await login(email, 9, windows, homeCookie)).status).toBe(200);
  for (let i = 0; i < 9; i++) expect((await guess(30 + i, homeCookie)).status).toBe(400);
  expect((await guess(40, homeCookie)).status).toBe(429);
});

test('a login with a wrong password does not make the browser known', async () => {
  const { email } = await person(server);
  const wrongReply = await server.call('POST /login/web', {
    body: { email, password: 'wrong' },
    headers: { 'x-forwarded-for': '198.18.30.7' },
  });
  expect(wrongReply.headers['set-cookie']).toBeUndefined();
});

const noPushes = { endAll: async () => {}, endOthers: async () => {} };

const reauthenticate = (token: string, password: string) => server.call('POST /web/reauthenticate', { token, body: { password } });
/** When the password was last entered in the session of a token. */
async function passwordTimeIn(token: string): Promise<Date | null> {
  const list = (await sessionsOf(token)) as unknown as { uuid: string; current: boolean }[];
  const proof = await sessionStore(server.db, server.clock, noPushes).proofOf(list.find(({ current }) => current)?.uuid ?? '');
  return proof?.time ?? null;
}

test('a login counts as entering the password, and entering it again counts for that session alone', async () => {
  const { token, email } = await person(server);
  const loginTime = server.clock.now();
  const neighbour = await person(server);
  const otherToken = String((await login(email, 50, windows)).body.web_token);
  expect(await passwordTimeIn(token)).toEqual(loginTime);
  server.clock.turn(20 * minute);
  expect(await reauthenticate(token, goodPassword)).toMatchObject({ status: 200, body: {} });
  expect(await passwordTimeIn(token)).toEqual(server.clock.now());
  for (const unchanged of [otherToken, neighbour.token]) expect(await passwordTimeIn(unchanged)).toEqual(loginTime);
  server.clock.turn(minute);
  const laterToken = String((await login(email, 51, windows)).body.web_token);
  expect(await passwordTimeIn(laterToken)).toEqual(server.clock.now());
  expect(await passwordTimeIn(token)).toEqual(new Date(server.clock.now().getTime() - minute));
});

test('a wrong password, none, or no session changes nothing', async () => {
  const { token, email } = await person(server);
  const loginTime = server.clock.now();
  const otherToken = String((await login(email, 52, windows)).body.web_token);
  server.clock.turn(minute);
  expect(await reauthenticate(token, `${goodPassword}!`)).toMatchObject({ status: 400, body: { code: 'password_wrong' } });
  expect(await reauthenticate(token, '')).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect((await reauthenticate('x'.repeat(43), goodPassword)).status).toBe(401);
  for (const unchanged of [token, otherToken]) expect(await passwordTimeIn(unchanged)).toEqual(loginTime);
  expect((await reauthenticate(otherToken, goodPassword)).status).toBe(200);
  expect(await passwordTimeIn(token)).toEqual(loginTime);
});

test('an account may enter its password ten times in five minutes, in all sessions together, and another account still may', async () => {
  const { token, email } = await person(server);
  const otherToken = String((await login(email, 53, windows)).body.web_token);
  const neighbour = await person(server);
  const loginTime = await passwordTimeIn(token);
  for (let i = 0; i < 10; i++) expect((await reauthenticate(i % 2 ? token : otherToken, 'wrong')).status).toBe(400);
  server.clock.turn(5 * minute - 1);
  // The right password is refused too, since it may be a guess.
  expect(await reauthenticate(token, goodPassword)).toMatchObject({ status: 429, body: { code: 'too_many' } });
  expect(await passwordTimeIn(token)).toEqual(loginTime);
  expect((await reauthenticate(neighbour.token, goodPassword)).status).toBe(200);
  server.clock.turn(1);
  expect((await reauthenticate(token, goodPassword)).status).toBe(200);
  expect(await passwordTimeIn(token)).toEqual(server.clock.now());
});
