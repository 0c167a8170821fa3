import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { keepFile, keptAt } from '../keep.ts';
import { answerFor, unreachable } from './textbox-answers.ts';
import { type PostForm, phonesBehind } from './textbox-phones.ts';
import type { TwilioAccount } from './twilio.ts';

/** A text in the local mailbox, as a page or a test reads it. */
export interface MailboxText {
  id: string;
  received: string;
  to: string;
  body: string;
}

export interface Textbox {
  /** The account that its door opens for, made anew at each start. */
  account: TwilioAccount;
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

/** The stand-in for Twilio: takes texts over its HTTP interface on a free loopback port and keeps each as a file in `folder`, across restarts. */
export async function openTextbox(folder: string, us: Us): Promise<Textbox> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const account_sid = `AC${randomBytes(16).toString('hex')}`;
  const auth_token = randomBytes(16).toString('hex');
  // The number that Twilio's own trial accounts may send from.
  const from = '+15005550006';
  const phones = phonesBehind({ account_sid, auth_token, from }, us.public_url, us.post);
  const server = createServer((request, reply) => {
    const answer = async () => {
      const form = new URLSearchParams(await bodyOf(request));
      const known = isFrom(request, account_sid, auth_token);
      const { status, body } = answerFor({ method: request.method, path: request.url, account_sid, known, form, blocked: phones.blocked });
      const arrives = form.get('To') !== unreachable;
      if (status === 201 && arrives) await keepFile(folder, 'text', JSON.stringify({ to: form.get('To'), body: form.get('Body') }));
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
  const read = new Map<string, MailboxText>();
  return {
    account: { account_sid, auth_token, from, api_base: `http://127.0.0.1:${port}`, status_url: `${us.public_url}/api/texts/status` },
    write: phones.write,
    async list() {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.text')).sort();
      for (const name of names) {
        if (!read.has(name)) read.set(name, parse(name, await readFile(join(folder, name), 'utf8')));
      }
      return names.reverse().flatMap((name) => read.get(name) ?? []);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parse(name: string, content: string): MailboxText {
  const { to, body } = JSON.parse(content) as { to: string; body: string };
  return { id: name.replace(/\.text$/, ''), received: keptAt(name), to, body };
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
