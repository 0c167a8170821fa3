import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SharedDocument, StoredItem, StoredItems } from '../ports.ts';
import { answerFor, unreachable } from './answers.ts';
import { type CallActions, type PhoneCall, type StoredCalls, simulatedCalls } from './calls.ts';
import { type OptedOut, type PostForm, phonesBehind, signedPost } from './phones.ts';

export interface MailboxText {
  id: string;
  received: string;
  to: string;
  body: string;
}

export interface TwilioSimulator {
  /** The account, created at each start. */
  account: { account_sid: string; auth_token: string; from: string; api_base: string; status_url: string; calls_url: string };
  list(): Promise<MailboxText[]>;
  write(phoneNumber: string, body: string): Promise<{ status: number; body: string }>;
  calls: CallActions & { list(): Promise<PhoneCall[]> };
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
  calls: SharedDocument<StoredCalls>;
}

export interface TwilioOptions {
  /** Phones stop ringing by themselves; without timers a test says when. */
  timers?: boolean;
}

/** A Twilio simulator: accepts text messages and calls over HTTP on a free loopback port and stores them. */
export async function openTwilioSimulator(
  { items, opted_out, calls: storedCalls }: TwilioStorage,
  target: TwilioTarget,
  { timers = true }: TwilioOptions = {},
): Promise<TwilioSimulator> {
  const account_sid = `AC${randomBytes(16).toString('hex')}`;
  const auth_token = randomBytes(16).toString('hex');
  // The number from which Twilio's trial accounts may send.
  const senderNumber = '+15005550006';
  const phones = phonesBehind({ account_sid, auth_token, from: senderNumber }, target.public_url, target.post, opted_out);
  const calls = simulatedCalls(
    storedCalls,
    (url, fields) =>
      signedPost({ auth_token }, target.public_url, target.post)(url, { AccountSid: account_sid, From: senderNumber, ...fields }),
    timers,
  );
  const server = createServer((request, reply) => {
    const answer = async () => {
      const form = new URLSearchParams(await bodyOf(request));
      const isAuthenticated = isFrom(request, account_sid, auth_token);
      const isBlocked = await phones.blocked();
      const { status, body, resource } = answerFor({
        method: request.method,
        path: request.url,
        account_sid,
        from: senderNumber,
        inbound_url: `${target.public_url}/api/texts/inbound`,
        known: isAuthenticated,
        form,
        blocked: isBlocked,
      });
      const arrives = form.get('To') !== unreachable;
      if (resource === 'Messages' && arrives) await items.add(Buffer.from(JSON.stringify({ to: form.get('To'), body: form.get('Body') })));
      const call = resource === 'Calls' && 'sid' in body ? await calls.place(String(body.sid), form) : null;
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (call) return calls.ring(call);
      const statusUrl = form.get('StatusCallback');
      if (statusUrl && 'sid' in body) await phones.report(statusUrl, String(body.sid), arrives ? 'delivered' : 'undelivered');
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
      calls_url: `${target.public_url}/api/calls`,
    },
    write: phones.write,
    calls,
    list: async () => (await items.list()).map(parse),
    close: () =>
      new Promise((resolve) => {
        calls.close();
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
