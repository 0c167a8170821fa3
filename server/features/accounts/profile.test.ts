import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goodPassword, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const patch = (token: string, body: object) => server.call('PATCH /web/profile', { token, body });
const profileOf = async (token: string) => (await server.call('GET /web/profile', { token })).body;
const login = (email: string, password: string, n: number) =>
  server.call('POST /login/web', { body: { email, password }, headers: { 'x-forwarded-for': `198.18.20.${n}` } });
const day = 24 * 3_600_000;

test('[3.1] [7.6] the profile has every field of the specification', async () => {
  const { token, email } = await person(server, 'Ann Example');
  expect(await profileOf(token)).toEqual({
    name: 'Ann Example',
    email,
    email_verified: true,
    pending_email: null,
    phone_number: null,
    phone_number_verified: false,
    phone_number_opted_out: false,
    phone_number_host: '+15005550006',
    third_party_support: null,
  });
});

describe('name, email and phone number', () => {
  test('[7.7] a new name needs no password; with the same address and number nothing else changes', async () => {
    const { token, email } = await person(server);
    expect((await patch(token, { name: ' Ann Newname ', email: email.toUpperCase(), current_password: '' })).status).toBe(200);
    expect(await profileOf(token)).toMatchObject({ name: 'Ann Newname', email, email_verified: true, pending_email: null });
    expect((await server.mailsTo(email)).map((mail) => mail.subject)).toEqual(['Please confirm your email address']);
  });

  test.each([
    ['email', { email: 'other1@example.org' }],
    ['phone number', { phone_number: '+12025550143' }],
    ['password', { password: 'another long password' }],
  ])(
    '[5.16] another %s needs the password: left out, blank or wrong it is refused, never with a 401, and nothing changes',
    async (_what, change) => {
      const { token } = await person(server);
      const before = await profileOf(token);
      for (const current_password of [undefined, null, '']) {
        expect(await patch(token, { name: 'X', ...change, current_password })).toMatchObject({
          status: 422,
          body: { code: 'invalid_input', fields: [{ field: 'CurrentPassword', tag: 'required' }] },
        });
      }
      expect(await patch(token, { name: 'X', ...change, current_password: 'wrong' })).toMatchObject({
        status: 400,
        body: { code: 'password_wrong' },
      });
      expect(await profileOf(token)).toEqual(before);
    },
  );

  test('the password is guessed at most ten times in five minutes', async () => {
    const { token } = await person(server);
    const guess = (current_password: string) => patch(token, { phone_number: '+12025550143', current_password });
    for (let i = 0; i < 10; i++) expect((await guess('wrong')).status).toBe(400);
    expect((await guess(goodPassword)).status).toBe(429);
    server.clock.turn(300_001);
    expect((await guess(goodPassword)).status).toBe(200);
  });

  test('a phone number is kept in its full form, is not proved yet, and can be taken away again', async () => {
    const { token } = await person(server);
    expect((await patch(token, { phone_number: '+1 (202) 555-0143', current_password: goodPassword })).status).toBe(200);
    expect(await profileOf(token)).toMatchObject({ phone_number: '+12025550143', phone_number_verified: false });
    // The same number again is no change.
    expect((await patch(token, { phone_number: '+12025550143' })).status).toBe(200);
    expect((await patch(token, { phone_number: null, current_password: goodPassword })).status).toBe(200);
    expect(await profileOf(token)).toMatchObject({ phone_number: null });
  });

  test.each([
    ['+1202555', 'too_short'],
    ['+120255501430000000', 'too_long'],
    ['+999123456789', 'invalid_country'],
    ['hello', 'not_a_number'],
  ])('[8.13] the number %s is refused as %s', async (phone_number, tag) => {
    const { token } = await person(server);
    expect(await patch(token, { phone_number, current_password: goodPassword })).toMatchObject({
      status: 422,
      body: { fields: [{ field: 'PhoneNumber', tag }] },
    });
  });

  test('[9.10] more than 250 characters are no phone number', async () => {
    const { token } = await person(server);
    expect(await patch(token, { phone_number: '1'.repeat(251), current_password: goodPassword })).toMatchObject({
      status: 422,
      body: { fields: [{ field: 'PhoneNumber', tag: 'max' }] },
    });
  });

  test('where texts are switched off there is no phone number to change', async () => {
    const off = await testServer({ FEATURE_SMS: 'off' });
    try {
      const { token } = await person(off);
      expect((await off.call('PATCH /web/profile', { token, body: { name: 'Ann', phone_number: '+12025550143' } })).status).toBe(200);
      expect((await off.call('GET /web/profile', { token })).body.phone_number).toBeNull();
    } finally {
      await off.close();
    }
  });
});

describe('another email address', () => {
  const change = (token: string, email: string) => patch(token, { email, current_password: goodPassword });
  const confirm = (token: string) => server.call('POST /confirm-email-change', { body: { token } });
  const linkTo = async (email: string) => linkIn((await server.mailsTo(email))[0], '/confirm-email-change/');

  test('[P2.4] counts once it is confirmed; a second press says so', async () => {
    const { token, email } = await person(server);
    expect((await change(token, 'new1@example.org')).status).toBe(200);
    expect(await profileOf(token)).toMatchObject({ email, email_verified: true, pending_email: 'new1@example.org' });
    expect((await login(email, goodPassword, 1)).status).toBe(200);
    const link = await linkTo('new1@example.org');
    expect((await confirm(link)).body).toEqual({ done: 'changed', already_confirmed: false });
    expect((await confirm(link)).body).toEqual({ done: 'changed', already_confirmed: true });
    expect(await profileOf(token)).toMatchObject({ email: 'new1@example.org', email_verified: true, pending_email: null });
    expect((await login(email, goodPassword, 2)).status).toBe(400);
    expect((await login('new1@example.org', goodPassword, 2)).status).toBe(200);
  });

  test('[P2.4] the old address is told and takes it back within 7 days, even after a second change; everyone is logged out', async () => {
    const { token, email } = await person(server);
    await change(token, 'thief1@example.org');
    await confirm(await linkTo('thief1@example.org'));
    const [told] = await server.mailsTo(email);
    expect(told?.subject).toBe('Your email address was changed');
    expect(told?.text).not.toContain('thief1@example.org');
    const undo = linkIn(told, '/confirm-email-change/').split('?')[0] ?? '';
    server.clock.turn(60_000);
    await change(token, 'thief2@example.org');
    await confirm(await linkTo('thief2@example.org'));
    server.clock.turn(6 * day);
    // The thief takes back the second change with the link that came to their first address: Ann's own still works.
    const theirs = (await linkTo('thief1@example.org')).split('?')[0] ?? '';
    expect((await confirm(theirs)).body).toEqual({ done: 'undone', already_confirmed: false });
    expect((await confirm(undo)).body).toEqual({ done: 'undone', already_confirmed: false });
    expect((await server.call('GET /web/profile', { token })).status).toBe(401);
    expect((await login(email, goodPassword, 3)).status).toBe(200);
  });

  test('[P2.4] once the first owner took it back, the links of all that came after are dead', async () => {
    const { token, email } = await person(server);
    await change(token, 'thief3@example.org');
    await confirm(await linkTo('thief3@example.org'));
    const undo = linkIn((await server.mailsTo(email))[0], '/confirm-email-change/').split('?')[0] ?? '';
    server.clock.turn(60_000);
    await change(token, 'thief4@example.org');
    await confirm(await linkTo('thief4@example.org'));
    expect((await confirm(undo)).body).toEqual({ done: 'undone', already_confirmed: false });
    const theirs = (await linkTo('thief3@example.org')).split('?')[0] ?? '';
    expect(await confirm(theirs)).toMatchObject({ status: 410, body: { code: 'link_invalid' } });
    expect((await login(email, goodPassword, 4)).status).toBe(200);
  });

  test('[P2.4] after 7 days it cannot be taken back', async () => {
    const { token, email } = await person(server);
    await change(token, 'moved@example.org');
    await confirm(await linkTo('moved@example.org'));
    const undo = linkIn((await server.mailsTo(email))[0], '/confirm-email-change/').split('?')[0] ?? '';
    server.clock.turn(7 * day);
    expect(await confirm(undo)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
  });

  test('an address that was never confirmed gets no link that would open the account', async () => {
    const email = 'typo@example.org';
    const headers = { 'x-forwarded-for': '198.18.20.9' };
    await server.call('POST /register', { body: { name: 'Ann', email, password: goodPassword }, headers });
    const token = String((await login(email, goodPassword, 9)).body.web_token);
    await change(token, 'right@example.org');
    await confirm(await linkTo('right@example.org'));
    expect(await profileOf(token)).toMatchObject({ email: 'right@example.org', email_verified: true });
    expect((await server.mailsTo(email)).map((mail) => mail.subject)).toEqual(['Please confirm your email address']);
    // Nor does the first mail confirm anything any more.
    const first = linkIn((await server.mailsTo(email))[0], '/confirm-email/');
    expect(await server.call('POST /confirm-email', { body: { token: first } })).toMatchObject({ status: 410 });
  });

  test('a link for an address that was replaced by another one, or is a day old, is dead', async () => {
    const { token } = await person(server);
    await change(token, 'first@example.org');
    const first = await linkTo('first@example.org');
    await change(token, 'second@example.org');
    expect(await confirm(first)).toMatchObject({ status: 410, body: { code: 'link_invalid' } });
    const second = await linkTo('second@example.org');
    server.clock.turn(day);
    expect(await confirm(second)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
  });

  test("[P2.2] someone else's address gets the same answer as a free one; its owner hears of it, and nothing changes", async () => {
    const [owner, other] = [await person(server), await person(server)];
    const taken = await change(other.token, owner.email.toUpperCase());
    const free = await change((await person(server)).token, 'free@example.org');
    expect([taken.status, taken.body]).toEqual([free.status, free.body]);
    expect(await profileOf(other.token)).toMatchObject({ email: other.email, pending_email: owner.email.toUpperCase() });
    const mails = await server.mailsTo(owner.email);
    expect(mails[0]?.subject).toBe('Your address was entered for another account');
    expect(mails[0]?.text).not.toContain('/confirm-email-change/');
    expect((await server.call('POST /web/verify-email', { token: other.token })).status).toBe(200);
  });

  test('an address that someone registered in the meantime cannot be confirmed any more', async () => {
    const { token } = await person(server);
    await change(token, 'raced@example.org');
    const link = await linkTo('raced@example.org');
    await person(server, 'Faster', 'raced@example.org');
    expect(await confirm(link)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
    expect((await profileOf(token)).email).not.toBe('raced@example.org');
  });

  test('[P2.3] it is sent again at most once a minute, and the newest link is the one that works', async () => {
    const { token } = await person(server);
    await change(token, 'again@example.org');
    const first = await linkTo('again@example.org');
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(200);
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(429);
    const second = await linkTo('again@example.org');
    expect((await confirm(first)).status).toBe(410);
    expect((await confirm(second)).status).toBe(200);
  });

  test('what was mailed to the old address for a new password is dead', async () => {
    const { token, email } = await person(server);
    await server.call('POST /forgot-password', { body: { email } });
    const reset = linkIn((await server.mailsTo(email))[0], '/reset-password/');
    await change(token, 'leaves@example.org');
    await confirm(await linkTo('leaves@example.org'));
    expect(await server.call('POST /reset-password', { body: { token: reset, password: goodPassword } })).toMatchObject({
      status: 410,
      body: { code: 'reset_invalid' },
    });
  });
});

describe('another password', () => {
  test('[7.8] [P1.5] works from then on, ends every other session and is told by mail', async () => {
    const { token, email } = await person(server);
    const other = String((await login(email, goodPassword, 30)).body.web_token);
    expect((await patch(token, { current_password: goodPassword, password: 'another long password' })).status).toBe(200);
    expect((await server.call('GET /web/profile', { token })).status).toBe(200);
    expect((await server.call('GET /web/profile', { token: other })).status).toBe(401);
    expect((await server.mailsTo(email))[0]?.subject).toBe('Your password was changed');
    expect((await login(email, goodPassword, 30)).status).toBe(400);
    expect((await login(email, 'another long password', 30)).status).toBe(200);
  });

  test('[5.8] eleven characters are too few', async () => {
    const { token } = await person(server);
    expect(await patch(token, { current_password: goodPassword, password: 'a'.repeat(11) })).toMatchObject({
      status: 422,
      body: { fields: [{ field: 'Password', tag: 'min' }] },
    });
  });
});
