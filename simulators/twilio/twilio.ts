import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SharedDocument, StoredItem, StoredItems } from '../ports.ts';
import { answerFor, unreachable } from './answers.ts';
import { type OptedOut, type PostForm, phonesBehind } from './phones.ts';

export interface MailboxText {
  id: string;
  received: string;
  to: string;
  body: string;
}

export interface TwilioSimulator {
  /** The account, created at each start. */
  account: { account_sid: string; auth_token: string; from: string; api_base: string; status_url: string };
  list(): Promise<MailboxText[]>;
  write(phoneNumber: string, body: string): Promise<{ status: number; body: string }>;
  close(): Promise<void>;
}

export interface TwilioTarget {
  /** The address that Twilio would know, without a slash at the end. */
  public_url: string;
  post: PostForm;
}

export interface TwilioStorage {
  items: StoredItems;
  opted_out: SharedDocument<OptedOut>;
}

/** A Twilio simulator: accepts text messages over HTTP on a free loopback port and stores them. */
export async function openTwilioSimulator({ items, opted_out }: TwilioStorage, target: TwilioTarget): Promise<TwilioSimulator> {
  const account_sid = `AC${randomBytes(16).toString('hex')}`;
  const auth_token = randomBytes(16).toString('hex');
  // The number from which Twilio's trial accounts may send.
  const senderNumber = '+15005550006';
  const phones = phonesBehind({ account_sid, auth_token, from: senderNumber }, target.public_url, target.post, opted_out);
  const server = createServer((request, reply) => {
    const answer = async () => {
      const form = new URLSearchParams(await bodyOf(request));
      const isAuthenticated = isFrom(request, account_sid, auth_token);
      const isBlocked = await phones.blocked();
      const { status, body } = answerFor({
        method: request.method,
        path: request.url,
        account_sid,
        known: isAuthenticated,
        form,
        blocked: isBlocked,
      });
      const arrives = form.get('To') !== unreachable;
      if (status === 201 && arrives) await items.add(Buffer.from(JSON.stringify({ to: form.get('To'), body: form.get('Body') })));
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      const statusUrl = form.get('StatusCallback');
      if (status === 201 && statusUrl && 'sid' in body)
        await phones.report(statusUrl, String(body.sid), arrives ? 'delivered' : 'undelivered');
    };
    answer().catch(() => reply.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    account: {
      account_sid,
      auth_token,
      from: senderNumber,
      api_base: `http://127.0.0.1:${port}`,
      status_url: `${target.public_url}/api/texts/status`,
    },
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

function isFrom(request: IncomingMessage, account_sid: string, auth_token: string): boolean {
  const expected = Buffer.from(`Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`);
  const givenHeader = Buffer.from(request.headers.authorization ?? '');
  return givenHeader.length === expected.length && timingSafeEqual(givenHeader, expected);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk as string;
    if (body.length > 20_000) throw new Error('that is no text message');
  }
  return body;
}
