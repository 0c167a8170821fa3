import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goodPassword, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const updateProfile = (token: string, body: object) => server.call('PATCH /web/profile', { token, body });
const profileOf = async (token: string) => (await server.call('GET /web/profile', { token })).body;
const login = (email: string, password: string, n: number) =>
  server.call('POST /login/web', { body: { email, password }, headers: { 'x-forwarded-for': `198.18.20.${n}` } });

test('[3.1] [7.6] the profile has every field of the specification', async () => {
  const { token, email } = await person(server, 'Ann Example');
  expect(await profileOf(token)).toEqual({
    name: 'Ann Example',
    email,
    email_verified: true,
    email_fails: false,
    pending_email: null,
    phone_number: null,
    phone_number_verified: false,
    phone_number_opted_out: false,
    phone_number_host: '+15005550006',
    third_party_support: null,
  });
});

describe('changing the name, email address and phone number', () => {
  test('[7.7] a new name needs no password; sending the same address and number again changes nothing else', async () => {
    const { token, email } = await person(server);
    expect((await updateProfile(token, { name: ' Ann Newname ', email: email.toUpperCase(), current_password: '' })).status).toBe(200);
    expect(await profileOf(token)).toMatchObject({ name: 'Ann Newname', email, email_verified: true, pending_email: null });
    expect(await server.mailsTo(email)).toEqual([]);
  });

  test.each([
    ['email', { email: 'other1@example.org' }],
    ['phone number', { phone_number: '+12025550143' }],
    ['password', { password: 'another long password' }],
  ])(
    '[5.16] changing the %s without the correct password is refused, never with a 401, and nothing changes',
    async (_what, changedFields) => {
      const { token } = await person(server);
      const previousProfile = await profileOf(token);
      for (const current_password of [undefined, null, '']) {
        expect(await updateProfile(token, { name: 'X', ...changedFields, current_password })).toMatchObject({
          status: 422,
          body: { code: 'invalid_input', fields: [{ field: 'CurrentPassword', tag: 'required' }] },
        });
      }
      expect(await updateProfile(token, { name: 'X', ...changedFields, current_password: 'wrong' })).toMatchObject({
        status: 400,
        body: { code: 'password_wrong' },
      });
      expect(await profileOf(token)).toEqual(previousProfile);
    },
  );

  test('the current password can be tried ten times in five minutes', async () => {
    const { token } = await person(server);
    const guess = (current_password: string) => updateProfile(token, { phone_number: '+12025550143', current_password });
    for (let i = 0; i < 10; i++) expect((await guess('wrong')).status).toBe(400);
    expect((await guess(goodPassword)).status).toBe(429);
    server.clock.turn(300_001);
    expect((await guess(goodPassword)).status).toBe(200);
  });

  test('a phone number is stored in E.164 form, starts unverified, and can be removed', async () => {
    const { token } = await person(server);
    expect((await updateProfile(token, { phone_number: '+1 (202) 555-0143', current_password: goodPassword })).status).toBe(200);
    expect(await profileOf(token)).toMatchObject({ phone_number: '+12025550143', phone_number_verified: false });
    expect((await updateProfile(token, { phone_number: '+12025550143' })).status).toBe(200);
    expect((await updateProfile(token, { phone_number: null, current_password: goodPassword })).status).toBe(200);
    expect(await profileOf(token)).toMatchObject({ phone_number: null });
  });

  test.each([
    ['+1202555', 'too_short'],
    ['+120255501430000000', 'too_long'],
    ['+999123456789', 'invalid_country'],
    ['hello', 'not_a_number'],
  ])('[8.13] the phone number %s is refused with the tag %s', async (phone_number, expectedTag) => {
    const { token } = await person(server);
    expect(await updateProfile(token, { phone_number, current_password: goodPassword })).toMatchObject({
      status: 422,
      body: { fields: [{ field: 'PhoneNumber', tag: expectedTag }] },
    });
  });

  test('[9.10] a phone number of more than 250 characters is refused', async () => {
    const { token } = await person(server);
    expect(await updateProfile(token, { phone_number: '1'.repeat(251), current_password: goodPassword })).toMatchObject({
      status: 422,
      body: { fields: [{ field: 'PhoneNumber', tag: 'max' }] },
    });
  });

  test('a server without text messages ignores a phone number in the profile', async () => {
    const serverWithoutSms = await testServer({ FEATURE_SMS: 'off' });
    try {
      const { token } = await person(serverWithoutSms);
      expect(
        (await serverWithoutSms.call('PATCH /web/profile', { token, body: { name: 'Ann', phone_number: '+12025550143' } })).status,
      ).toBe(200);
      expect((await serverWithoutSms.call('GET /web/profile', { token })).body.phone_number).toBeNull();
    } finally {
      await serverWithoutSms.close();
    }
  });
});

describe('changing the email address', () => {
  const requestEmailChange = (token: string, email: string) => updateProfile(token, { email, current_password: goodPassword });
  const confirmChange = (token: string) => server.call('POST /confirm-email-change', { body: { token } });
  const linkSentTo = async (email: string) => linkIn((await server.mailsTo(email))[0], '/confirm-email-change/');

  test('[P2.4] a new address takes effect once it is confirmed; a second click reports that it already was', async () => {
    const { token, email } = await person(server);
    expect((await requestEmailChange(token, 'new1@example.org')).status).toBe(200);
    expect(await profileOf(token)).toMatchObject({ email, email_verified: true, pending_email: 'new1@example.org' });
    expect((await login(email, goodPassword, 1)).status).toBe(200);
    const link = await linkSentTo('new1@example.org');
    expect((await confirmChange(link)).body).toEqual({ done: 'changed', already_confirmed: false });
    expect((await confirmChange(link)).body).toEqual({ done: 'changed', already_confirmed: true });
    expect(await profileOf(token)).toMatchObject({ email: 'new1@example.org', email_verified: true, pending_email: null });
    expect((await login(email, goodPassword, 2)).status).toBe(400);
    expect((await login('new1@example.org', goodPassword, 2)).status).toBe(200);
  });

  test('[P2.4] the old address can undo the change within 7 days, even after a second change, which ends every session', async () => {
    const { token, email } = await person(server);
    await requestEmailChange(token, 'thief1@example.org');
    await confirmChange(await linkSentTo('thief1@example.org'));
    const [notification] = await server.mailsTo(email);
    expect(notification?.subject).toBe('Your email address was changed');
    expect(notification?.text).not.toContain('thief1@example.org');
    const undo = linkIn(notification, '/confirm-email-change/').split('?')[0] ?? '';
    server.clock.turn(60_000);
    await requestEmailChange(token, 'thief2@example.org');
    await confirmChange(await linkSentTo('thief2@example.org'));
    server.clock.turn(6 * day);
    // After the thief undoes the second change, the holder's own undo link still works.
    const thiefLink = (await linkSentTo('thief1@example.org')).split('?')[0] ?? '';
    expect((await confirmChange(thiefLink)).body).toEqual({ done: 'undone', already_confirmed: false });
    expect((await confirmChange(undo)).body).toEqual({ done: 'undone', already_confirmed: false });
    expect((await server.call('GET /web/profile', { token })).status).toBe(401);
    expect((await login(email, goodPassword, 3)).status).toBe(200);
  });

  test('[P2.4] once the first owner undid the change, all later undo links are invalid', async () => {
    const { token, email } = await person(server);
    await requestEmailChange(token, 'thief3@example.org');
    await confirmChange(await linkSentTo('thief3@example.org'));
    const undo = linkIn((await server.mailsTo(email))[0], '/confirm-email-change/').split('?')[0] ?? '';
    server.clock.turn(60_000);
    await requestEmailChange(token, 'thief4@example.org');
    await confirmChange(await linkSentTo('thief4@example.org'));
    expect((await confirmChange(undo)).body).toEqual({ done: 'undone', already_confirmed: false });
    const thiefLink = (await linkSentTo('thief3@example.org')).split('?')[0] ?? '';
    expect(await confirmChange(thiefLink)).toMatchObject({ status: 410, body: { code: 'link_invalid' } });
    expect((await login(email, goodPassword, 4)).status).toBe(200);
  });

  test('[P2.4] after 7 days the change cannot be undone', async () => {
    const { token, email } = await person(server);
    await requestEmailChange(token, 'moved@example.org');
    await confirmChange(await linkSentTo('moved@example.org'));
    const undo = linkIn((await server.mailsTo(email))[0], '/confirm-email-change/').split('?')[0] ?? '';
    server.clock.turn(7 * day);
    expect(await confirmChange(undo)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
  });

  test('an address that was never confirmed receives no undo link', async () => {
    const email = 'typo@example.org';
    const callerHeaders = { 'x-forwarded-for': '198.18.20.9' };
    await server.call('POST /register', { body: { name: 'Ann', email, password: goodPassword }, headers: callerHeaders });
    const token = String((await login(email, goodPassword, 9)).body.web_token);
    await requestEmailChange(token, 'right@example.org');
    await confirmChange(await linkSentTo('right@example.org'));
    expect(await profileOf(token)).toMatchObject({ email: 'right@example.org', email_verified: true });
    expect((await server.mailsTo(email)).map((mail) => mail.subject)).toEqual(['Please confirm your email address']);
    const firstLink = linkIn((await server.mailsTo(email))[0], '/confirm-email/');
    expect(await server.call('POST /confirm-email', { body: { token: firstLink } })).toMatchObject({ status: 410 });
  });

  test('a link for an address that was replaced by another, or is a day old, is invalid', async () => {
    const { token } = await person(server);
    await requestEmailChange(token, 'first@example.org');
    const firstLink = await linkSentTo('first@example.org');
    await requestEmailChange(token, 'second@example.org');
    expect(await confirmChange(firstLink)).toMatchObject({ status: 410, body: { code: 'link_invalid' } });
    const secondLink = await linkSentTo('second@example.org');
    server.clock.turn(day);
    expect(await confirmChange(secondLink)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
  });

  test('[P2.2] another user’s address gets the same answer as an unused one; its owner is notified, and nothing changes', async () => {
    const [owner, otherUser] = [await person(server), await person(server)];
    const takenReply = await requestEmailChange(otherUser.token, owner.email.toUpperCase());
    const unusedReply = await requestEmailChange((await person(server)).token, 'free@example.org');
    expect([takenReply.status, takenReply.body]).toEqual([unusedReply.status, unusedReply.body]);
    expect(await profileOf(otherUser.token)).toMatchObject({ email: otherUser.email, pending_email: owner.email.toUpperCase() });
    const mails = await server.mailsTo(owner.email);
    expect(mails[0]?.subject).toBe('Your address was entered for another account');
    expect(mails[0]?.text).not.toContain('/confirm-email-change/');
    expect((await server.call('POST /web/verify-email', { token: otherUser.token })).status).toBe(200);
  });

  test('an address that someone else registered in the meantime cannot be confirmed', async () => {
    const { token } = await person(server);
    await requestEmailChange(token, 'raced@example.org');
    const link = await linkSentTo('raced@example.org');
    await person(server, 'Faster', 'raced@example.org');
    expect(await confirmChange(link)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
    expect((await profileOf(token)).email).not.toBe('raced@example.org');
  });

  test('[P2.3] the link to the new address is sent again at most once a minute, and only the newest link works', async () => {
    const { token } = await person(server);
    await requestEmailChange(token, 'again@example.org');
    const firstLink = await linkSentTo('again@example.org');
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(200);
    expect((await server.call('POST /web/verify-email', { token })).status).toBe(429);
    const secondLink = await linkSentTo('again@example.org');
    expect((await confirmChange(firstLink)).status).toBe(410);
    expect((await confirmChange(secondLink)).status).toBe(200);
  });

  test('after the address changed, a reset link sent to the old address is invalid', async () => {
    const { token, email } = await person(server);
    await server.call('POST /forgot-password', { body: { email } });
    const reset = linkIn((await server.mailsTo(email))[0], '/reset-password/');
    await requestEmailChange(token, 'leaves@example.org');
    await confirmChange(await linkSentTo('leaves@example.org'));
    expect(await server.call('POST /reset-password', { body: { token: reset, password: goodPassword } })).toMatchObject({
      status: 410,
      body: { code: 'reset_invalid' },
    });
  });
});

describe('changing the password', () => {
  test('[7.8] [P1.5] a new password works immediately, ends every other session and is announced by email', async () => {
    const { token, email } = await person(server);
    const otherToken = String((await login(email, goodPassword, 30)).body.web_token);
    expect((await updateProfile(token, { current_password: goodPassword, password: 'another long password' })).status).toBe(200);
    expect((await server.call('GET /web/profile', { token })).status).toBe(200);
    expect((await server.call('GET /web/profile', { token: otherToken })).status).toBe(401);
    expect((await server.mailsTo(email))[0]?.subject).toBe('Your password was changed');
    expect((await login(email, goodPassword, 30)).status).toBe(400);
    expect((await login(email, 'another long password', 30)).status).toBe(200);
  });

  test('[5.8] a password of eleven characters is refused', async () => {
    const { token } = await person(server);
    expect(await updateProfile(token, { current_password: goodPassword, password: 'a'.repeat(11) })).toMatchObject({
      status: 422,
      body: { fields: [{ field: 'Password', tag: 'min' }] },
    });
  });
});
