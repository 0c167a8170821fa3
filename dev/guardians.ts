import { randomUUID } from 'node:crypto';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { call } from './call.ts';
import type { Person } from './people.ts';
import { until } from './until.ts';
import type { ServerAndMailbox } from './world.ts';

export interface AcceptedGuardian {
  uuid: string;
  email: string;
  cookie: string;
}

export async function acceptedGuardian(
  world: ServerAndMailbox,
  holder: Person,
  name = 'Bob',
  domain = 'example.org',
): Promise<AcceptedGuardian> {
  const email = `${randomUUID()}@${domain}`;
  const { uuid } = await call(world.url, 'POST /web/create-guardian', { token: holder.token, body: { name, email } });
  const key = await until('the invitation', async () => keyIn(await world.mailbox(), email, uuid));
  const sessionResponse = await post(world, `/guardian/${uuid}/session`, {}, { key });
  const cookies = sessionResponse.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const cookie = cookies.join('; ');
  await post(world, `/guardian/${uuid}/accept`, sessionHeaders(cookie));
  return { uuid, email, cookie };
}

/** Says yes to every call that waits (P10.1). */
export async function sayYes(world: ServerAndMailbox, { uuid, cookie }: AcceptedGuardian): Promise<void> {
  const page = (await (await fetch(`${world.url}/api/guardian/${uuid}`, { headers: { cookie } })).json()) as GuardianView;
  const open = page.requests.filter(({ state }) => state === 'open');
  for (const request of open) await post(world, `/guardian/${uuid}/requests/${request.uuid}`, sessionHeaders(cookie), { answer: 'yes' });
}

/** Says *It's over* about every open incident (P10.2). */
export async function endIncidents(world: ServerAndMailbox, { uuid, cookie }: AcceptedGuardian): Promise<void> {
  const page = (await (await fetch(`${world.url}/api/guardian/${uuid}`, { headers: { cookie } })).json()) as GuardianView;
  const open = page.incidents.filter(({ state }) => state === 'open');
  for (const incident of open)
    await post(world, `/guardian/${uuid}/incidents/${incident.uuid}`, sessionHeaders(cookie), { answer: 'over' });
}

const sessionHeaders = (cookie: string) => ({ cookie, 'x-xsrf-token': /XSRF-TOKEN=([^;]*)/.exec(cookie)?.[1] ?? '' });

async function post(world: ServerAndMailbox, path: string, headers: Record<string, string>, body: object = {}): Promise<Response> {
  const answer = await fetch(`${world.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path.replace(/[\w-]{20,}/g, '…')} answered ${answer.status}.`);
  return answer;
}

function keyIn(mails: { to: string[]; text: string }[], email: string, uuid: string): string | undefined {
  const mail = mails.find(({ to }) => to.includes(email));
  return mail?.text.split(`/guardian/${uuid}/`)[1]?.split(/\s/)[0];
}
