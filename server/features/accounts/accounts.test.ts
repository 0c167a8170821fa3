import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goodPassword, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const hour = 3_600_000;
const ann = (email: string, more: object = {}) => ({ name: 'Ann', email, password: goodPassword, promo: null, signup_code: null, ...more });
const from = (n: number) => ({ 'x-forwarded-for': `198.18.1.${n}` });

describe('register', () => {
  test('[7.3] answers exactly 200 and sends one confirmation mail with a link to the dashboard', async () => {
    expect((await server.call('POST /register', { body: ann('r1@example.org'), headers: from(1) })).status).toBe(200);
    const mails = await server.mailsTo('r1@example.org');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('http://localhost:4380/dashboard/confirm-email/');
    expect(mails[0]?.text).toContain('Nobody from Porchlight will ever ask you to tell them your password or PIN.');
  });

  test('an address is taken whatever its case, and says so beside the field', async () => {
    await server.call('POST /register', { body: ann('r2@example.org'), headers: from(2) });
    const again = await server.call('POST /register', { body: ann('R2@Example.org'), headers: from(2) });
    expect(again).toMatchObject({ status: 409, body: { code: 'email_taken', fields: [{ field: 'Email', tag: 'taken' }] } });
  });

  test('[5.2] a password of eleven characters is refused with the tag min, one of twelve is taken', async () => {
    const short = await server.call('POST /register', { body: ann('r3@example.org', { password: 'twelve char' }), headers: from(3) });
    expect(short).toMatchObject({ status: 422, body: { code: 'invalid_input', fields: [{ field: 'Password', tag: 'min' }] } });
    expect(
      (await server.call('POST /register', { body: ann('r3@example.org', { password: 'twelve chars' }), headers: from(3) })).status,
    ).toBe(200);
  });

  test('what is missing, too long or not an address is named by its field', async () => {
    const bad = await server.call('POST /register', { body: { email: 'nobody', name: ' ', password: goodPassword }, headers: from(4) });
    expect(bad.status).toBe(422);
    expect(bad.body.fields).toEqual(
      expect.arrayContaining([
        { field: 'Email', tag: 'email' },
        { field: 'Name', tag: 'required' },
      ]),
    );
    const missing = await server.call('POST /register', { body: { name: 'Ann' }, headers: from(4) });
    expect(missing.body.fields).toEqual(
      expect.arrayContaining([
        { field: 'Email', tag: 'required' },
        { field: 'Password', tag: 'required' },
      ]),
    );
  });

  test('a sign-up code that nobody gave out is not known', async () => {
    const reply = await server.call('POST /register', { body: ann('r5@example.org', { signup_code: 'NOPE' }), headers: from(5) });
    expect(reply).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  });

  test('two at once with one address: one account', async () => {
    const both = await Promise.all([1, 2].map(() => server.call('POST /register', { body: ann('r6@example.org'), headers: from(6) })));
    expect(both.map((r) => r.status).sort()).toEqual([200, 409]);
  });
});

describe('log in', () => {
  test('[7.2] the right password gives a token that opens the profile', async () => {
    const { token, email } = await person(server, 'Ann Example');
    const profile = await server.call('GET /web/profile', { token });
    expect(profile).toMatchObject({ status: 200, body: { name: 'Ann Example', email, email_verified: true } });
  });

  test('a wrong password and an unknown address get the same refusal, and never a 401', async () => {
    const { email } = await person(server);
    const strip = ({ status, body }: { status: number; body: object }) => ({ status, ...body, request_id: '' });
    const wrong = await server.call('POST /login/web', { body: { email, password: 'not the password' }, headers: from(20) });
    const unknown = await server.call('POST /login/web', { body: { email: 'nobody@example.org', password: 'x' }, headers: from(20) });
    expect(strip(wrong)).toEqual(strip(unknown));
    expect(wrong.status).toBe(400);
  });

  test('eleven tries in a minute from one place are too many, and a minute later it works again', async () => {
    const { email } = await person(server);
    const attempt = (password: string) =>
      server.call('POST /login/web', { body: { email: `${password}@example.org`, password }, headers: from(21) });
    for (let i = 0; i < 10; i++) expect((await attempt(`wrong${i}`)).status).toBe(400);
    const refused = await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: from(21) });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    server.clock.turn(61_000);
    expect((await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: from(21) })).status).toBe(200);
  });

  test('log out ends this session and no other', async () => {
    const { token, email } = await person(server);
    const other = await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: from(22) });
    await server.call('POST /web/logout', { token });
    expect(await server.call('GET /web/profile', { token })).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect((await server.call('GET /web/profile', { token: String(other.body.web_token) })).status).toBe(200);
  });

  test('a token ends after 30 days unused, and use keeps it', async () => {
    const { token } = await person(server);
    server.clock.turn(20 * 24 * hour);
    expect((await server.call('GET /web/profile', { token })).status).toBe(200);
    server.clock.turn(20 * 24 * hour);
    expect((await server.call('GET /web/profile', { token })).status).toBe(200);
    server.clock.turn(30 * 24 * hour + 1);
    expect((await server.call('GET /web/profile', { token })).status).toBe(401);
  });

  test('the database holds neither the token nor the password', async () => {
    const { token } = await person(server);
    const rows = JSON.stringify([
      await server.db.selectFrom('sessions').selectAll().execute(),
      await server.db.selectFrom('accounts').selectAll().execute(),
    ]);
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(goodPassword);
    expect(rows).toContain('$argon2id$');
  });
});

describe('confirm the address', () => {
  const register = async (email: string, n: number) => {
    await server.call('POST /register', { body: ann(email), headers: from(n) });
    const login = await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: from(n) });
    return { token: String(login.body.web_token), link: linkIn((await server.mailsTo(email))[0], '/confirm-email/') };
  };

  test('[6.4] until then only the profile can be read; the button confirms; the second click says so', async () => {
    const { token, link } = await register('c1@example.org', 30);
    expect(await server.call('GET /web/devices', { token })).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
    expect((await server.call('GET /web/profile', { token })).body).toMatchObject({ email_verified: false });
    expect((await server.call('POST /confirm-email', { body: { token: link } })).body).toEqual({ already_confirmed: false });
    expect((await server.call('POST /confirm-email', { body: { token: link } })).body).toEqual({ already_confirmed: true });
    // The address lets them through now, and the plan is asked for next.
    expect(await server.call('GET /web/devices', { token })).toMatchObject({ status: 403, body: { code: 'not_subscribed' } });
  });

  test('a link works for 24 hours and only the newest does', async () => {
    const { token, link } = await register('c2@example.org', 31);
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(200);
    expect(await server.call('POST /confirm-email', { body: { token: link } })).toMatchObject({
      status: 410,
      body: { code: 'link_invalid' },
    });
    const newest = linkIn((await server.mailsTo('c2@example.org'))[0], '/confirm-email/');
    server.clock.turn(24 * hour);
    expect(await server.call('POST /confirm-email', { body: { token: newest } })).toMatchObject({
      status: 410,
      body: { code: 'link_expired' },
    });
  });

  test('it is sent again at most once a minute', async () => {
    const { token } = await register('c3@example.org', 32);
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(200);
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(429);
    server.clock.turn(60_001);
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(200);
  });
});

describe('forgotten password', () => {
  test('the same answer for an address that exists and one that does not; the mail only for the first', async () => {
    const { email } = await person(server);
    const known = await server.call('POST /forgot-password', { body: { email }, headers: from(40) });
    const unknown = await server.call('POST /forgot-password', { body: { email: 'nobody2@example.org' }, headers: from(40) });
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect((await server.mailsTo(email))[0]?.subject).toBe('Choose a new password');
    expect(await server.mailsTo('nobody2@example.org')).toHaveLength(0);
  });

  test('a reset works once, ends every session and is told by mail', async () => {
    const { token, email } = await person(server);
    await server.call('POST /forgot-password', { body: { email }, headers: from(41) });
    const link = linkIn((await server.mailsTo(email))[0], '/reset-password/');
    const body = { token: link, password: 'another long password' };
    expect((await server.call('POST /reset-password', { body, headers: from(41) })).status).toBe(200);
    expect(await server.call('POST /reset-password', { body, headers: from(41) })).toMatchObject({
      status: 410,
      body: { code: 'reset_invalid' },
    });
    expect((await server.call('GET /web/profile', { token })).status).toBe(401);
    expect((await server.mailsTo(email))[0]?.subject).toBe('Your password was changed');
    expect((await server.call('POST /login/web', { body: { email, password: body.password }, headers: from(41) })).status).toBe(200);
    expect((await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: from(41) })).status).toBe(400);
  });

  test('a link is dead after an hour', async () => {
    const { email } = await person(server);
    await server.call('POST /forgot-password', { body: { email }, headers: from(42) });
    const link = linkIn((await server.mailsTo(email))[0], '/reset-password/');
    server.clock.turn(hour);
    const reply = await server.call('POST /reset-password', {
      body: { token: link, password: 'another long password' },
      headers: from(42),
    });
    expect(reply).toMatchObject({ status: 410, body: { code: 'reset_expired' } });
  });

  test('[P5.4] a server that died after it queued the mail sends no second one, and the link of the first still works', async () => {
    const { email } = await person(server);
    const jobs = async () =>
      (await server.db.selectFrom('jobs').select('id').where('kind', '=', 'account_mail').execute()).map((job) => job.id);
    const others = [...(await jobs()), '11111111-1111-4111-8111-111111111111'];
    await server.call('POST /forgot-password', { body: { email }, headers: from(43) });
    const link = linkIn((await server.mailsTo(email))[0], '/reset-password/');
    // As if it had died before it could say that the job was done.
    await server.db
      .updateTable('jobs')
      .set({ done_at: null, payload: JSON.stringify({ reset_for: email }) })
      .where('id', 'in', await jobs())
      .where('id', 'not in', others)
      .execute();
    const mails = await server.mailsTo(email);
    expect(mails.filter((mail) => mail.subject === 'Choose a new password')).toHaveLength(1);
    const body = { token: link, password: 'another long password' };
    expect((await server.call('POST /reset-password', { body, headers: from(43) })).status).toBe(200);
  });
});
