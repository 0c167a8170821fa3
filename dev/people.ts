import { randomUUID } from 'node:crypto';
import { agentInfo } from '@porchlight/server/testing/agent-info.ts';
import { call } from './call.ts';
import { until } from './until.ts';
import type { ServerAndMailbox } from './world.ts';

export const validPassword = 'correct horse battery';

export interface Person {
  email: string;
  password: string;
  token: string;
}

/** A person with a confirmed email, a login, and the trial of a plan for five devices. */
export async function registeredPerson(world: ServerAndMailbox, name?: string): Promise<Person> {
  const person = await confirmedPerson(world, name);
  await givePlan(world, person.token);
  return person;
}

/** `promo`: a promotion code in the registration address. */
export async function confirmedPerson(world: ServerAndMailbox, name = 'Ann Example', promo: string | null = null): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  const password = validPassword;
  await call(world.url, 'POST /register', { body: { name, email, password, promo } });
  const token = await until('the confirmation mail', async () => linkPart(await mailTo(world, email), '/confirm-email/'));
  await call(world.url, 'POST /confirm-email', { body: { token } });
  const { web_token } = await call(world.url, 'POST /login/web', { body: { email, password } });
  return { email, password, token: web_token };
}

export async function givePlan(world: ServerAndMailbox, token: string, price = 'price_family_yearly'): Promise<void> {
  const page = await call(world.url, 'POST /web/profile/sub/order', { token, body: { price } });
  await payAt(page);
  await until('the plan', async () => (await call(world.url, 'GET /web/profile/sub', { token })).subscribed);
}

/** Opens the checkout as a browser does, and pays. */
export async function payAt(page: string): Promise<void> {
  const pageResponse = await fetch(page, { redirect: 'manual' });
  const cookie = pageResponse.headers.get('set-cookie')?.split(';')[0] ?? '';
  const path = new URL(pageResponse.headers.get('location') ?? '', page);
  const payResponse = await fetch(`${path}/pay`, { method: 'POST', redirect: 'manual', headers: { cookie } });
  if (payResponse.status !== 303) throw new Error(`The test checkout answered ${pageResponse.status} and ${payResponse.status}.`);
}

/** A linked device with a token but no agent: for tests that call the server themselves. */
export async function linkedDevice(world: ServerAndMailbox, person: Person, name = 'Den PC'): Promise<{ uuid: string; token: string }> {
  const { uuid, login_code } = await call(world.url, 'POST /web/create-device', { token: person.token, body: { name } });
  const { agent_token } = await call(world.url, 'POST /agent/enrol', {
    body: { code: login_code, info: agentInfo, enrol_id: randomUUID() },
  });
  return { uuid, token: agent_token };
}

async function mailTo(world: ServerAndMailbox, email: string): Promise<string> {
  return (await world.mailbox()).find((mail) => mail.to.includes(email))?.text ?? '';
}

function linkPart(text: string, marker: string): string {
  return text.split(marker)[1]?.split(/\s/)[0] ?? '';
}
