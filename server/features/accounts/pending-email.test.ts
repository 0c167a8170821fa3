import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const updateProfile = (token: string, body: object) => server.call('PATCH /web/profile', { token, body });

async function accountWithPendingChange(thief: string) {
  const ann = await person(server);
  await updateProfile(ann.token, { email: thief, current_password: goodPassword });
  const link = linkIn((await server.mailsTo(thief))[0], '/confirm-email-change/');
  const pendingEmail = async () => (await server.call('GET /web/profile', { token: ann.token })).body.pending_email;
  expect(await pendingEmail()).toBe(thief);
  const confirmChange = () => server.call('POST /confirm-email-change', { body: { token: link } });
  return { ...ann, pending: pendingEmail, taken: confirmChange };
}
const invalidLinkReply = { status: 410, body: { code: 'link_invalid' } };

test('[P2.4] a password reset cancels a pending change of address', async () => {
  const { email, taken } = await accountWithPendingChange('thief1@example.org');
  await server.call('POST /forgot-password', { body: { email } });
  const token = linkIn((await server.mailsTo(email))[0], '/reset-password/');
  const password = 'another good password';
  expect((await server.call('POST /reset-password', { body: { token, password } })).status).toBe(200);
  expect(await taken()).toMatchObject(invalidLinkReply);
  const { body } = await server.call('POST /login/web', { body: { email, password } });
  expect((await server.call('GET /web/profile', { token: String(body.web_token) })).body.pending_email).toBeNull();
});

test('[P2.4] a new password cancels a pending change of address, unless it is saved together with another address', async () => {
  const { token, pending, taken } = await accountWithPendingChange('thief2@example.org');
  await updateProfile(token, { password: 'another good password', current_password: goodPassword });
  expect(await taken()).toMatchObject(invalidLinkReply);
  expect(await pending()).toBeNull();
  await updateProfile(token, { email: 'mine@example.org', password: goodPassword, current_password: 'another good password' });
  expect(await pending()).toBe('mine@example.org');
  const link = linkIn((await server.mailsTo('mine@example.org'))[0], '/confirm-email-change/');
  expect((await server.call('POST /confirm-email-change', { body: { token: link } })).status).toBe(200);
});

test('[P2.4] entering the current address again cancels a pending change, without the password', async () => {
  const { token, email, pending, taken } = await accountWithPendingChange('thief3@example.org');
  expect((await updateProfile(token, { email: email.toUpperCase() })).status).toBe(200);
  expect(await taken()).toMatchObject(invalidLinkReply);
  expect(await pending()).toBeNull();
});

test('saving the form with only a new name leaves a pending change of address unaffected', async () => {
  const { token, email, pending } = await accountWithPendingChange('patient@example.org');
  await updateProfile(token, { name: 'Ann Newname', email: 'patient@example.org' });
  await updateProfile(token, { name: 'Ann Newername', email, current_password: null });
  expect(await pending()).toBe('patient@example.org');
});
