import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

/** Somebody who knew the password asked for an address of their own; what its owner does about it ends that. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const patch = (token: string, body: object) => server.call('PATCH /web/profile', { token, body });

/** Ann's account, with a change to an address of a thief's that waits for the link in their mail. */
async function asked(thief: string) {
  const ann = await person(server);
  await patch(ann.token, { email: thief, current_password: goodPassword });
  const link = linkIn((await server.mailsTo(thief))[0], '/confirm-email-change/');
  const pending = async () => (await server.call('GET /web/profile', { token: ann.token })).body.pending_email;
  expect(await pending()).toBe(thief);
  const taken = () => server.call('POST /confirm-email-change', { body: { token: link } });
  return { ...ann, pending, taken };
}
const dead = { status: 410, body: { code: 'link_invalid' } };

test('[P2.4] a password that was reset ends a change of address that waited', async () => {
  const { email, taken } = await asked('thief1@example.org');
  await server.call('POST /forgot-password', { body: { email } });
  const token = linkIn((await server.mailsTo(email))[0], '/reset-password/');
  const password = 'another good password';
  expect((await server.call('POST /reset-password', { body: { token, password } })).status).toBe(200);
  expect(await taken()).toMatchObject(dead);
  const { body } = await server.call('POST /login/web', { body: { email, password } });
  expect((await server.call('GET /web/profile', { token: String(body.web_token) })).body.pending_email).toBeNull();
});

test('[P2.4] so does a new password, unless it comes together with another address', async () => {
  const { token, pending, taken } = await asked('thief2@example.org');
  await patch(token, { password: 'another good password', current_password: goodPassword });
  expect(await taken()).toMatchObject(dead);
  expect(await pending()).toBeNull();
  await patch(token, { email: 'mine@example.org', password: goodPassword, current_password: 'another good password' });
  expect(await pending()).toBe('mine@example.org');
  const link = linkIn((await server.mailsTo('mine@example.org'))[0], '/confirm-email-change/');
  expect((await server.call('POST /confirm-email-change', { body: { token: link } })).status).toBe(200);
});

test('[P2.4] so does the address that counts now, entered again; that weakens nothing and needs no password', async () => {
  const { token, email, pending, taken } = await asked('thief3@example.org');
  expect((await patch(token, { email: email.toUpperCase() })).status).toBe(200);
  expect(await taken()).toMatchObject(dead);
  expect(await pending()).toBeNull();
});

test('the form with nothing changed but the name leaves a change that waits as it is', async () => {
  const { token, email, pending } = await asked('patient@example.org');
  await patch(token, { name: 'Ann Newname', email: 'patient@example.org' });
  await patch(token, { name: 'Ann Newername', email, current_password: null });
  expect(await pending()).toBe('patient@example.org');
});
