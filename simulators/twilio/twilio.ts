import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SharedDocument, StoredItem, StoredItems } from '../ports.ts';
import { answerFor, unreachable } from './answers.ts';
import { type OptedOut, type PostForm, phonesBehind } from './phones.ts';

/** A text in the local mailbox, as a page or a test reads it. */
export interface MailboxText {
  id: string;
  received: string;
  to: string;
  body: string;
}

export interface TwilioSimulator {
  /** The account that its door opens for, made anew at each start. */
  account: { account_sid: string; auth_token: string; from: string; api_base: string; status_url: string };
  /** Newest first. */
  list(): Promise<MailboxText[]>;
  /** Somebody answers from a phone: signed and posted to us as Twilio does. */
  write(from: string, body: string): Promise<{ status: number; body: string }>;
  close(): Promise<void>;
}

/** How it reaches the server that it stands beside. */
export interface Us {
  /** As Twilio would know it, without a slash at the end. */
  public_url: string;
  post: PostForm;
}

/** What the simulator of the carrier stores: the accepted texts, and the numbers that have opted out. */
export interface TwilioStorage {
  items: StoredItems;
  opted_out: SharedDocument<OptedOut>;
}

/** The stand-in for Twilio: takes texts over its HTTP interface on a free loopback port and keeps them. */
export async function openTwilioSimulator({ items, opted_out }: TwilioStorage, us: Us): Promise<TwilioSimulator> {
  const account_sid = `AC${randomBytes(16).toString('hex')}`;
  const auth_token = randomBytes(16).toString('hex');
  // The number that Twilio's own trial accounts may send from.
  const from = '+15005550006';
  const phones = phonesBehind({ account_sid, auth_token, from }, us.public_url, us.post, opted_out);
  const server = createServer((request, reply) => {
    const answer = async () => {
      const form = new URLSearchParams(await bodyOf(request));
      const known = isFrom(request, account_sid, auth_token);
      const blocked = await phones.blocked();
      const { status, body } = answerFor({ method: request.method, path: request.url, account_sid, known, form, blocked });
      const arrives = form.get('To') !== unreachable;
      if (status === 201 && arrives) await items.add(Buffer.from(JSON.stringify({ to: form.get('To'), body: form.get('Body') })));
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      const told = form.get('StatusCallback');
      if (status === 201 && told && 'sid' in body) await phones.report(told, String(body.sid), arrives ? 'delivered' : 'undelivered');
    };
    answer().catch(() => reply.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    account: { account_sid, auth_token, from, api_base: `http://127.0.0.1:${port}`, status_url: `${us.public_url}/api/texts/status` },
    write: phones.write,
    list: async () => (await items.list()).map(parse),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parse({ id, received, content }: StoredItem): MailboxText {
  const { to, body } = JSON.parse(content.toString('utf8')) as { to: string; body: string };
  return { id, received, to, body };
}

/** HTTP Basic with the account's own name and token. */
function isFrom(request: IncomingMessage, account_sid: string, auth_token: string): boolean {
  const expected = Buffer.from(`Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`);
  const given = Buffer.from(request.headers.authorization ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request.setEncoding('utf8')) {
    body += part as string;
    if (body.length > 20_000) throw new Error('that is no text message');
  }
  return body;
}
