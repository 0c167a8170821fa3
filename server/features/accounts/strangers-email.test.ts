import { isHarmlessName } from '@porchlight/contract/shapes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeAddress, goodPassword, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const register = (name: string, password = goodPassword, email = `${crypto.randomUUID()}@example.org`) =>
  server.call('POST /register', {
    body: { name, email, password, promo: null, signup_code: null },
    headers: { 'x-forwarded-for': fakeAddress() },
  });

const badNames = [
  'CALL-1-800-555-0199-NOW',
  'evil。com',
  'x@evil',
  'evil．com',
  'x＠evil',
  'Ann １８００５５５０１９９',
  'Ann (800) 555 0199',
  'Ann 8.0.0.5.5',
  'evil\u200b.com',
  'evil ․com',
  'Ann ٨٠٠٥٥٥',
];
test.each(badNames)('A10: %j is refused as the name of an account or a guardian', async (name) => {
  expect(isHarmlessName(name)).toBe(false);
});

test('A10: a name with an address or a phone number is refused beside its field wherever a name can be entered', async () => {
  const refusedReply = { status: 422, body: { code: 'invalid_input', fields: [{ field: 'Name' }] } };
  const { token } = await newcomer(server);
  for (const name of badNames.slice(0, 4)) {
    expect(await register(name), name).toMatchObject(refusedReply);
    expect(await server.call('PATCH /web/profile', { token, body: { name } }), name).toMatchObject(refusedReply);
    expect(await server.call('POST /web/create-guardian', { token, body: { name, email: 'bob@example.org' } }), name).toMatchObject(
      refusedReply,
    );
  }
});

test.each([
  'Ann Example',
  'Dr.Jones',
  'Henry 8',
  'Ann-Marie O’Neill 2',
  'J. R. Smith',
  'Łucja',
  'Gal·la Pons',
  'マイケル・田中',
  'Ann 1950',
])('%j is accepted as a name', (name) => expect(isHarmlessName(name)).toBe(true));

test('A10: an email to an unconfirmed address contains no name, and explains that it can be ignored', async () => {
  const email = `${crypto.randomUUID()}@example.org`;
  await register('Zebedee Quark', goodPassword, email);
  const [mail] = await server.mailsTo(email);
  expect(mail?.subject).toBe('Please confirm your email address');
  expect(mail?.text).not.toMatch(/Zebedee|Quark/);
  expect(mail?.text).toContain('Not you? Ignore this email.');
  const { token } = await person(server, 'Zebedee Quark');
  const otherEmail = `${crypto.randomUUID()}@example.org`;
  await server.call('PATCH /web/profile', { token, body: { email: otherEmail, current_password: goodPassword } });
  const [change] = await server.mailsTo(otherEmail);
  expect(change?.subject).toBe('Please confirm your new email address');
  expect(change?.text).not.toMatch(/Zebedee|Quark/);
});

test('A10: an invitation leaves out a stored name that would be refused today, and includes an acceptable one', async () => {
  const [eve, ann] = [await person(server, 'Eve'), await person(server, 'Ann Example')];
  await server.db.updateTable('accounts').set({ name: 'CALL-1-800-555-0199-NOW' }).where('email', '=', eve.email).execute();
  const invitationTo = async (token: string) => {
    const email = `${crypto.randomUUID()}@example.org`;
    await server.call('POST /web/create-guardian', { token, body: { name: 'Bob', email } });
    const [mail] = await server.mailsTo(email);
    return `${mail?.subject} ${mail?.text}`;
  };
  expect(await invitationTo(eve.token)).not.toMatch(/CALL|0199/);
  expect(await invitationTo(ann.token)).toContain('Ann asks you to be a guardian');
});

const commonPassword = { status: 422, body: { code: 'password_common', fields: [{ field: 'Password', tag: 'it is too easy to guess' }] } };

test('A10: common passwords are refused with advice wherever a password is chosen, and nothing changes', async () => {
  for (const password of ['123456789012', 'password1234', 'passwordpassword', 'aaaaaaaaaaaa', ' '.repeat(12), 'qwertyuiop12']) {
    const answer = await register('Ann Example', password);
    expect(answer, password).toMatchObject(commonPassword);
    expect(String(answer.body.error)).toContain('three or four words');
  }
  const { token, email } = await newcomer(server, 'Zebedee Quark');
  const change = (password: string) => server.call('PATCH /web/profile', { token, body: { current_password: goodPassword, password } });
  for (const password of ['password1234', 'zebedeequark1']) expect(await change(password), password).toMatchObject(commonPassword);
  await server.call('POST /forgot-password', { body: { email }, headers: { 'x-forwarded-for': fakeAddress() } });
  const reset = (await server.mailsTo(email))[0]?.text.split('/reset-password/')[1]?.split(/\s/)[0];
  const choosePassword = (password: string) => server.call('POST /reset-password', { body: { token: reset, password } });
  for (const password of ['password1234', 'zebedeequark1']) expect(await choosePassword(password), password).toMatchObject(commonPassword);
  const login = (password: string) =>
    server.call('POST /login/web', { body: { email, password }, headers: { 'x-forwarded-for': fakeAddress() } });
  expect((await login(goodPassword)).status).toBe(200);
  expect((await choosePassword('another good password')).status).toBe(200);
  expect((await login('another good password')).status).toBe(200);
});
