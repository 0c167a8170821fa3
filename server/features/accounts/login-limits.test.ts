import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeAddress, goodPassword, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

/** Guessing a password is bounded, and keeps nobody out who has it. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const logIn = (email: string, password: string, address: string, cookie?: string) =>
  server.call('POST /login/web', { body: { email, password }, headers: { 'x-forwarded-for': address, ...(cookie ? { cookie } : {}) } });
/** So many wrong tries from each of so many addresses; how many were judged. */
async function guess(email: string, addresses: string[], each: number): Promise<number> {
  let judged = 0;
  for (const address of addresses)
    for (let i = 0; i < each; i++) if ((await logIn(email, 'not the password', address)).status === 400) judged += 1;
  return judged;
}
const places = (n: number) => Array.from({ length: n }, fakeAddress);
const ok = { status: 200 };
const guarded = { status: 429, body: { code: 'login_guarded' } };

test('A10: wrong tries from one place keep the owner out of no other place, known or new, and are at most ten an hour', async () => {
  const { email } = await person(server);
  const attacker = fakeAddress();
  expect(await guess(email, [attacker], 12)).toBe(10);
  server.clock.turn(6 * minute);
  expect(await guess(email, [attacker], 3)).toBe(0);
  expect(await logIn(email, goodPassword, fakeAddress())).toMatchObject(ok);
  expect(await logIn(email, goodPassword, attacker)).toMatchObject({ status: 429, body: { code: 'too_many' } });
});

test('A10: from many places an account is guessed thirty times an hour; who knows the network gets in, and who reads the mail from anywhere', async () => {
  const { email } = await person(server);
  const home = fakeAddress();
  expect(await logIn(email, goodPassword, home)).toMatchObject(ok);
  // A thousand times the load makes no more guesses: the thirty-first place is asked for more than a password, as is the hundredth.
  expect(await guess(email, places(60), 1)).toBeLessThanOrEqual(30);
  const away = fakeAddress();
  expect(await logIn(email, goodPassword, away)).toMatchObject(guarded);
  expect(await logIn(email, goodPassword, home)).toMatchObject(ok);

  await server.call('POST /forgot-password', { body: { email }, headers: { 'x-forwarded-for': away } });
  const token = linkIn(
    (await server.mailsTo(email)).find(({ subject }) => subject === 'Choose a new password'),
    '/reset-password/',
  );
  const password = 'another good password';
  const reset = await server.call('POST /reset-password', { body: { token, password }, headers: { 'x-forwarded-for': away } });
  expect(reset.status).toBe(200);
  const cookie = String([reset.headers['set-cookie'] ?? []].flat()[0]).split(';')[0];
  expect(await logIn(email, password, away, cookie)).toMatchObject(ok);
  // A browser without it, somewhere else, is still a stranger.
  expect(await logIn(email, password, fakeAddress())).toMatchObject(guarded);
});

test('A10: the refusal is the same for an address that nobody has', async () => {
  const { email } = await person(server);
  const strip = ({ status, body }: { status: number; body: object }) => ({ status, ...body, request_id: '' });
  const after = async (who: string) => {
    await guess(who, places(30), 1);
    return strip(await logIn(who, 'whatever it is', fakeAddress()));
  };
  expect(await after(email)).toEqual(await after('nobody-has-this@example.org'));
});

test('A10: a network that is behind no address of its own makes nobody known', async () => {
  const { email } = await person(server);
  expect(await logIn(email, goodPassword, '10.0.0.7')).toMatchObject(ok);
  await guess(email, places(30), 1);
  expect(await logIn(email, goodPassword, '10.0.0.7')).toMatchObject(guarded);
});

test('A10: where somebody was stands nowhere in the database', async () => {
  const { email } = await person(server);
  const address = fakeAddress();
  await logIn(email, goodPassword, address);
  const rows = await server.db.selectFrom('known_networks').selectAll().execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(address);
});

test('A10: a new password from a reset leaves the browser known to the other accounts that log in there', async () => {
  const [ann, ben] = [await person(server), await person(server)];
  /** A browser: it keeps cookies by path, and sends those of the narrower path first (RFC 6265). */
  const kept = new Map<string, string>();
  const browse = async (path: string, body: object, address: string) => {
    const fits = [...kept].map(([key, value]) => ({ at: key.split(' ')[0] ?? '', pair: `${key.split(' ')[1]}=${value}` }));
    const sent = fits.filter(({ at }) => `/api${path}`.startsWith(at)).toSorted((a, b) => b.at.length - a.at.length);
    const cookie = sent.map(({ pair }) => pair).join('; ');
    const answer = await server.call(`POST ${path}`, { body, headers: { 'x-forwarded-for': address, ...(cookie ? { cookie } : {}) } });
    for (const line of [answer.headers['set-cookie'] ?? []].flat().map(String)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const at = /path=([^;]+)/i.exec(line)?.[1] ?? '/';
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) kept.delete(`${at} ${name}`);
      else kept.set(`${at} ${name}`, value);
    }
    return answer;
  };
  for (const { email } of [ann, ben])
    expect(await browse('/login/web', { email, password: goodPassword }, fakeAddress())).toMatchObject(ok);
  const reset = async (email: string, password: string) => {
    await server.call('POST /forgot-password', { body: { email }, headers: { 'x-forwarded-for': fakeAddress() } });
    const [mail] = (await server.mailsTo(email)).filter(({ subject }) => subject === 'Choose a new password');
    return browse('/reset-password', { token: linkIn(mail, '/reset-password/'), password }, fakeAddress());
  };
  expect(await reset(ann.email, 'another good password')).toMatchObject(ok);
  for (const { email } of [ann, ben]) await guess(email, places(60), 1);
  expect(await browse('/login/web', { email: ben.email, password: goodPassword }, fakeAddress())).toMatchObject(ok);
  expect(await browse('/login/web', { email: ann.email, password: 'another good password' }, fakeAddress())).toMatchObject(ok);
  expect(await logIn(ben.email, goodPassword, fakeAddress())).toMatchObject(guarded);

  // A browser of before, which keeps it for logging in alone.
  const [token = ''] = kept.values();
  kept.clear();
  kept.set('/api/login browser', token);
  expect(await reset(ann.email, 'a third good password')).toMatchObject(ok);
  expect([...kept.keys()]).toEqual(['/api browser']);
  expect(await browse('/login/web', { email: ann.email, password: 'a third good password' }, fakeAddress())).toMatchObject(ok);
});
