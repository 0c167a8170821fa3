import { isHarmlessName } from '@porchlight/contract/shapes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeAddress, goodPassword, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

/** What may stand in our mails to people who know nothing of us, and what nobody may choose as a password. */

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

const bad = [
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
test.each(bad)('A10: %j is no name, neither of an account nor of a guardian', async (name) => {
  expect(isHarmlessName(name)).toBe(false);
});

test('A10: such a name is refused beside its field, everywhere where one is given', async () => {
  const refused = { status: 422, body: { code: 'invalid_input', fields: [{ field: 'Name' }] } };
  const { token } = await newcomer(server);
  for (const name of bad.slice(0, 4)) {
    expect(await register(name), name).toMatchObject(refused);
    expect(await server.call('PATCH /web/profile', { token, body: { name } }), name).toMatchObject(refused);
    expect(await server.call('POST /web/create-guardian', { token, body: { name, email: 'bob@example.org' } }), name).toMatchObject(
      refused,
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
])('%j is a name', (name) => expect(isHarmlessName(name)).toBe(true));

test('A10: a mail to an address that nobody has proved has no name in it, and says what to do with it', async () => {
  const email = `${crypto.randomUUID()}@example.org`;
  await register('Zebedee Quark', goodPassword, email);
  const [mail] = await server.mailsTo(email);
  expect(mail?.subject).toBe('Please confirm your email address');
  expect(mail?.text).not.toMatch(/Zebedee|Quark/);
  expect(mail?.text).toContain('Not you? Ignore this email.');
  const { token } = await person(server, 'Zebedee Quark');
  const other = `${crypto.randomUUID()}@example.org`;
  await server.call('PATCH /web/profile', { token, body: { email: other, current_password: goodPassword } });
  const [change] = await server.mailsTo(other);
  expect(change?.subject).toBe('Please confirm your new email address');
  expect(change?.text).not.toMatch(/Zebedee|Quark/);
});

test('A10: a name that was entered before such names were refused is not said in an invitation; another one is', async () => {
  const [eve, ann] = [await person(server, 'Eve'), await person(server, 'Ann Example')];
  await server.db.updateTable('accounts').set({ name: 'CALL-1-800-555-0199-NOW' }).where('email', '=', eve.email).execute();
  const invited = async (token: string) => {
    const email = `${crypto.randomUUID()}@example.org`;
    await server.call('POST /web/create-guardian', { token, body: { name: 'Bob', email } });
    const [mail] = await server.mailsTo(email);
    return `${mail?.subject} ${mail?.text}`;
  };
  expect(await invited(eve.token)).not.toMatch(/CALL|0199/);
  expect(await invited(ann.token)).toContain('Ann asks you to be a guardian');
});

const common = { status: 422, body: { code: 'password_common', fields: [{ field: 'Password', tag: 'it is too easy to guess' }] } };

test('A10: common passwords are refused wherever one is chosen, with what to do, and change nothing', async () => {
  for (const password of ['123456789012', 'password1234', 'passwordpassword', 'aaaaaaaaaaaa', ' '.repeat(12), 'qwertyuiop12']) {
    const answer = await register('Ann Example', password);
    expect(answer, password).toMatchObject(common);
    expect(String(answer.body.error)).toContain('three or four words');
  }
  const { token, email } = await newcomer(server, 'Zebedee Quark');
  const change = (password: string) => server.call('PATCH /web/profile', { token, body: { current_password: goodPassword, password } });
  for (const password of ['password1234', 'zebedeequark1']) expect(await change(password), password).toMatchObject(common);
  await server.call('POST /forgot-password', { body: { email }, headers: { 'x-forwarded-for': fakeAddress() } });
  const reset = (await server.mailsTo(email))[0]?.text.split('/reset-password/')[1]?.split(/\s/)[0];
  const choose = (password: string) => server.call('POST /reset-password', { body: { token: reset, password } });
  for (const password of ['password1234', 'zebedeequark1']) expect(await choose(password), password).toMatchObject(common);
  const login = (password: string) =>
    server.call('POST /login/web', { body: { email, password }, headers: { 'x-forwarded-for': fakeAddress() } });
  expect((await login(goodPassword)).status).toBe(200);
  // The link was not used up by what was refused.
  expect((await choose('another good password')).status).toBe(200);
  expect((await login('another good password')).status).toBe(200);
});
