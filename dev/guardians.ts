import { randomUUID } from 'node:crypto';
import { call } from './call.ts';
import type { Person } from './people.ts';
import { until } from './until.ts';
import type { ServerAndMailbox } from './world.ts';

export async function acceptedGuardian(
  world: ServerAndMailbox,
  holder: Person,
  name = 'Bob',
  domain = 'example.org',
): Promise<{ uuid: string; email: string; cookie: string }> {
  const email = `${randomUUID()}@${domain}`;
  const { uuid } = await call(world.url, 'POST /web/create-guardian', { token: holder.token, body: { name, email } });
  const key = await until('the invitation', async () => keyIn(await world.mailbox(), email, uuid));
  const sessionResponse = await post(world, `/guardian/${uuid}/session`, {}, { key });
  const cookies = sessionResponse.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const xsrf = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.split('=')[1] ?? '';
  const cookie = cookies.join('; ');
  await post(world, `/guardian/${uuid}/accept`, { cookie, 'x-xsrf-token': xsrf });
  return { uuid, email, cookie };
}

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
