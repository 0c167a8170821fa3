import { randomUUID } from 'node:crypto';
import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeAddress, goodPassword, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const registrationOf = (email: string, overrides: object = {}) => ({
  name: 'Ann',
  email,
  password: goodPassword,
  promo: null,
  signup_code: null,
  ...overrides,
});
const callerHeaders = (n: number) => ({ 'x-forwarded-for': `198.18.1.${n}` });

describe('registering an account', () => {
  test('[7.3] answers exactly 200 and sends one confirmation mail with a link to the dashboard', async () => {
    expect((await server.call('POST /register', { body: registrationOf('r1@example.org'), headers: callerHeaders(1) })).status).toBe(200);
    const mails = await server.mailsTo('r1@example.org');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('http://localhost:4380/dashboard/confirm-email/');
    expect(mails[0]?.text).toContain('Nobody from Porchlight will ever ask you to tell them your password or PIN.');
  });

  test('an email address is taken regardless of case, and the error names its field', async () => {
    await server.call('POST /register', { body: registrationOf('r2@example.org'), headers: callerHeaders(2) });
    const duplicateReply = await server.call('POST /register', { body: registrationOf('R2@Example.org'), headers: callerHeaders(2) });
    expect(duplicateReply).toMatchObject({ status: 409, body: { code: 'email_taken', fields: [{ field: 'Email', tag: 'taken' }] } });
  });

  test('[5.2] a password of eleven characters is refused with the tag min, and one of twelve is accepted', async () => {
    const shortPasswordReply = await server.call('POST /register', {
      body: registrationOf('r3@example.org', { password: 'twelve char' }),
      headers: callerHeaders(3),
    });
    expect(shortPasswordReply).toMatchObject({ status: 422, body: { code: 'invalid_input', fields: [{ field: 'Password', tag: 'min' }] } });
    expect(
      (
        await server.call('POST /register', {
          body: registrationOf('r3@example.org', { password: 'twelve chars' }),
          headers: callerHeaders(3),
        })
      ).status,
    ).toBe(200);
  });

  test.each([
    ['blanks', ' '],
    ['no-break spaces', '\u00a0'],
    ['tabs', '\t'],
    ['ideographic spaces', '\u3000'],
    ['Hangul fillers', '\u3164'],
    ['half-width Hangul fillers', '\uffa0'],
    ['zero-width spaces', '\u200b'],
    ['empty Braille cells', '\u2800'],
    ['blanks and Hangul fillers in turn', ' \u3164\u200b\u115f'],
    ['blanks with a dot in between', '  .'],
  ])('[P13.1] a password of nothing but %s is refused, and one with them between words is accepted', async (_, blank) => {
    const register = async (password: string) =>
      server.call('POST /register', {
        body: registrationOf(`${randomUUID()}@example.org`, { password }),
        headers: { 'x-forwarded-for': fakeAddress() },
      });
    expect(await register(blank.repeat(12))).toMatchObject({
      status: 422,
      body: { code: 'password_common', fields: [{ field: 'Password' }] },
    });
    expect((await register(`tall ${blank} kettle ${blank} neighbour`)).status).toBe(200);
  });

  test('a missing, too long or malformed value is refused with the name of its field', async () => {
    const invalidReply = await server.call('POST /register', {
      body: { email: 'nobody', name: ' ', password: goodPassword },
      headers: callerHeaders(4),
    });
    expect(invalidReply.status).toBe(422);
    expect(invalidReply.body.fields).toEqual(
      expect.arrayContaining([
        { field: 'Email', tag: 'email' },
        { field: 'Name', tag: 'required' },
      ]),
    );
    const incompleteReply = await server.call('POST /register', { body: { name: 'Ann' }, headers: callerHeaders(4) });
    expect(incompleteReply.body.fields).toEqual(
      expect.arrayContaining([
        { field: 'Email', tag: 'required' },
        { field: 'Password', tag: 'required' },
      ]),
    );
  });

  test('registering with an unknown sign-up code is refused', async () => {
    const reply = await server.call('POST /register', {
      body: registrationOf('r5@example.org', { signup_code: 'NOPE' }),
      headers: callerHeaders(5),
    });
    expect(reply).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  });

  test('two simultaneous registrations with one address create one account', async () => {
    const replies = await Promise.all(
      [1, 2].map(() => server.call('POST /register', { body: registrationOf('r6@example.org'), headers: callerHeaders(6) })),
    );
    expect(replies.map((r) => r.status).sort()).toEqual([200, 409]);
  });
});

describe('logging in and out', () => {
  test('[7.2] the right password gives a token that opens the profile', async () => {
    const { token, email } = await person(server, 'Ann Example');
    const profile = await server.call('GET /web/profile', { token });
    expect(profile).toMatchObject({ status: 200, body: { name: 'Ann Example', email, email_verified: true } });
  });

  test('a wrong password and an unknown address get the same refusal, and never a 401', async () => {
    const { email } = await person(server);
    const withoutRequestId = ({ status, body }: { status: number; body: object }) => ({ status, ...body, request_id: '' });
    const wrongPasswordReply = await server.call('POST /login/web', {
      body: { email, password: 'not the password' },
      headers: callerHeaders(20),
    });
    const unknownEmailReply = await server.call('POST /login/web', {
      body: { email: 'nobody@example.org', password: 'x' },
      headers: callerHeaders(20),
    });
    expect(withoutRequestId(wrongPasswordReply)).toEqual(withoutRequestId(unknownEmailReply));
    expect(wrongPasswordReply.status).toBe(400);
  });

  test('the eleventh login attempt in a minute from one address is refused, and a minute later attempts work again', async () => {
    const { email } = await person(server);
    const attempt = (password: string) =>
      server.call('POST /login/web', { body: { email: `${password}@example.org`, password }, headers: callerHeaders(21) });
    for (let i = 0; i < 10; i++) expect((await attempt(`wrong${i}`)).status).toBe(400);
    const refusedReply = await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: callerHeaders(21) });
    expect(refusedReply).toMatchObject({ status: 429, body: { code: 'too_many' } });
    expect(Number(refusedReply.headers['retry-after'])).toBeGreaterThan(0);
    server.clock.turn(61_000);
    expect((await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: callerHeaders(21) })).status).toBe(
      200,
    );
  });

  test('logging out ends this session and no other', async () => {
    const { token, email } = await person(server);
    const otherReply = await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: callerHeaders(22) });
    await server.call('POST /web/logout', { token });
    expect(await server.call('GET /web/profile', { token })).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect((await server.call('GET /web/profile', { token: String(otherReply.body.web_token) })).status).toBe(200);
  });

  test('a session token expires after 30 days without use, and each use extends it', async () => {
    const { token } = await person(server);
    server.clock.turn(20 * 24 * hour);
    expect((await server.call('GET /web/profile', { token })).status).toBe(200);
    server.clock.turn(20 * 24 * hour);
    expect((await server.call('GET /web/profile', { token })).status).toBe(200);
    server.clock.turn(30 * 24 * hour + 1);
    expect((await server.call('GET /web/profile', { token })).status).toBe(401);
  });

  test('the database contains neither the session token nor the password', async () => {
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

describe('confirming the email address of a new account', () => {
  const register = async (email: string, n: number) => {
    await server.call('POST /register', { body: registrationOf(email), headers: callerHeaders(n) });
    const login = await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: callerHeaders(n) });
    return { token: String(login.body.web_token), link: linkIn((await server.mailsTo(email))[0], '/confirm-email/') };
  };

  test('[6.4] an unconfirmed account can only read its profile; the link confirms it, and a second click says so', async () => {
    const { token, link } = await register('c1@example.org', 30);
    expect(await server.call('GET /web/devices', { token })).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
    expect((await server.call('GET /web/profile', { token })).body).toMatchObject({ email_verified: false });
    expect((await server.call('POST /confirm-email', { body: { token: link } })).body).toEqual({ already_confirmed: false });
    expect((await server.call('POST /confirm-email', { body: { token: link } })).body).toEqual({ already_confirmed: true });
    expect(await server.call('GET /web/devices', { token })).toMatchObject({ status: 403, body: { code: 'not_subscribed' } });
  });

  test('a confirmation link works for 24 hours, and only the newest one works', async () => {
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

  test('the confirmation email is sent again at most once a minute', async () => {
    const { token } = await register('c3@example.org', 32);
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(200);
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(429);
    server.clock.turn(60_001);
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(200);
  });
});

describe('resetting a forgotten password', () => {
  test('a reset request gets the same answer for a known and an unknown address; only the known one receives an email', async () => {
    const { email } = await person(server);
    const knownEmailReply = await server.call('POST /forgot-password', { body: { email }, headers: callerHeaders(40) });
    const unknownEmailReply = await server.call('POST /forgot-password', {
      body: { email: 'nobody2@example.org' },
      headers: callerHeaders(40),
    });
    expect([knownEmailReply.status, knownEmailReply.body]).toEqual([unknownEmailReply.status, unknownEmailReply.body]);
    expect((await server.mailsTo(email))[0]?.subject).toBe('Choose a new password');
    expect(await server.mailsTo('nobody2@example.org')).toHaveLength(0);
  });

  test('a reset link works once, ends every session and the account receives an email about the change', async () => {
    const { token, email } = await person(server);
    await server.call('POST /forgot-password', { body: { email }, headers: callerHeaders(41) });
    const link = linkIn((await server.mailsTo(email))[0], '/reset-password/');
    const body = { token: link, password: 'another long password' };
    expect((await server.call('POST /reset-password', { body, headers: callerHeaders(41) })).status).toBe(200);
    expect(await server.call('POST /reset-password', { body, headers: callerHeaders(41) })).toMatchObject({
      status: 410,
      body: { code: 'reset_invalid' },
    });
    expect((await server.call('GET /web/profile', { token })).status).toBe(401);
    expect((await server.mailsTo(email))[0]?.subject).toBe('Your password was changed');
    expect((await server.call('POST /login/web', { body: { email, password: body.password }, headers: callerHeaders(41) })).status).toBe(
      200,
    );
    expect((await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: callerHeaders(41) })).status).toBe(
      400,
    );
  });

  test('a reset link expires after an hour', async () => {
    const { email } = await person(server);
    await server.call('POST /forgot-password', { body: { email }, headers: callerHeaders(42) });
    const link = linkIn((await server.mailsTo(email))[0], '/reset-password/');
    server.clock.turn(hour);
    const reply = await server.call('POST /reset-password', {
      body: { token: link, password: 'another long password' },
      headers: callerHeaders(42),
    });
    expect(reply).toMatchObject({ status: 410, body: { code: 'reset_expired' } });
  });

  test('[P5.4] a server that crashed after queueing the reset email sends no second one, and its link still works', async () => {
    const { email } = await person(server);
    const jobs = async () =>
      (await server.db.selectFrom('jobs').select('id').where('kind', '=', 'account_mail').execute()).map((job) => job.id);
    const otherJobs = [...(await jobs()), '11111111-1111-4111-8111-111111111111'];
    await server.call('POST /forgot-password', { body: { email }, headers: callerHeaders(43) });
    const link = linkIn((await server.mailsTo(email))[0], '/reset-password/');
    await server.db
      .updateTable('jobs')
      .set({ done_at: null, payload: JSON.stringify({ reset_for: email }) })
      .where('id', 'in', await jobs())
      .where('id', 'not in', otherJobs)
      .execute();
    const mails = await server.mailsTo(email);
    expect(mails.filter((mail) => mail.subject === 'Choose a new password')).toHaveLength(1);
    const body = { token: link, password: 'another long password' };
    expect((await server.call('POST /reset-password', { body, headers: callerHeaders(43) })).status).toBe(200);
  });
});
