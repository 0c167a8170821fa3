import { randomUUID } from 'node:crypto';
import { agentInfo } from './agent-info.ts';
import { order, pay } from './pay.ts';
import { fakeAddress, goodPassword, linkIn, type TestServer } from './world.ts';

/** What people do by calls, for the tests of just that; all others insert the rows that these calls store (`insert-people.ts`). */

/** Registers, confirms the address with the link of the email, and logs in. */
export async function registersByCalls(server: TestServer, name: string, email: string): Promise<{ token: string; email: string }> {
  const { call } = server;
  // A new address for each user, because rate limits count by address.
  const headers = { 'x-forwarded-for': fakeAddress() };
  const registered = await call('POST /register', {
    body: { name, email, password: goodPassword, promo: null, signup_code: null },
    headers,
  });
  const [mail] = await server.mailsTo(email);
  await call('POST /confirm-email', { body: { token: linkIn(mail, '/confirm-email/') }, headers });
  const { status, body } = await call('POST /login/web', { body: { email, password: goodPassword }, headers });
  if (status !== 200) throw new Error(`registered (${registered.status}), and the login was refused: ${JSON.stringify(body)}`);
  return { token: String(body.web_token), email };
}

export async function buysByCalls(server: TestServer, token: string): Promise<void> {
  const page = await order(server, token);
  // One event makes the server read the plan; the other events of a purchase have their own tests, and take most of its time.
  server.stripeSimulator.subscribeWebhook(['checkout.session.completed']);
  await pay(server, page).finally(() => server.stripeSimulator.subscribeWebhook(null));
}

export async function linksByCalls(server: TestServer, token: string, name: string): Promise<{ uuid: string; agent: string }> {
  const { body: createdDevice } = await server.call('POST /web/create-device', { token, body: { name, policy: null } });
  const { body } = await server.call('POST /agent/enrol', {
    body: { code: createdDevice.login_code, info: agentInfo, enrol_id: randomUUID() },
    headers: { 'x-forwarded-for': fakeAddress() },
  });
  return { uuid: String(createdDevice.uuid), agent: String(body.agent_token) };
}
