import { mkdir, readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { keepFile, keptAt } from '../keep.ts';

/** A mail in the local mailbox, as a page or a test reads it. */
export interface MailboxMail {
  id: string;
  message_id: string;
  received: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** The two headers of RFC 8058; null where the mail has none. */
  list_unsubscribe: string | null;
  list_unsubscribe_post: string | null;
}

export interface Mailbox {
  /** Where it takes mail: a real SMTP server on loopback. */
  smtp_url: string;
  /** Newest first. */
  list(): Promise<MailboxMail[]>;
  close(): Promise<void>;
}

/** How far a mail has come: somebody is named, its words begin, it is kept, and that was answered with 250. */
export type MailStep = 'rcpt' | 'data' | 'kept' | 'taken';

/** The stand-in for a mail server: takes mail over SMTP on a free loopback port and keeps each as a file in `folder`, across restarts. */
export async function openMailbox(folder: string, seen: (step: MailStep, to: string) => void = () => {}): Promise<Mailbox> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const read = new Map<string, MailboxMail>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      seen('rcpt', address);
      done();
    },
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo[0]?.address ?? '';
      seen('data', to);
      const kept = () => {
        seen('kept', to);
        done();
        seen('taken', to);
      };
      keep(folder, stream).then(kept, done);
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    smtp_url: `smtp://127.0.0.1:${port}`,
    async list() {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
      for (const name of names) {
        if (!read.has(name)) read.set(name, await parse(name, await readFile(join(folder, name))));
      }
      return names.reverse().flatMap((name) => read.get(name) ?? []);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Before SMTP says 250. */
async function keep(folder: string, stream: Readable): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  await keepFile(folder, 'eml', Buffer.concat(parts));
}

async function parse(name: string, raw: Buffer): Promise<MailboxMail> {
  const mail = await PostalMime.parse(raw);
  const header = (key: string) => mail.headers.find((one) => one.key === key)?.value ?? null;
  return {
    id: name.replace(/\.eml$/, ''),
    message_id: (mail.messageId ?? '').replace(/^<|>$/g, ''),
    received: keptAt(name),
    from: mail.from?.address ?? '',
    to: (mail.to ?? []).flatMap((to) => to.address ?? []),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    list_unsubscribe: header('list-unsubscribe'),
    list_unsubscribe_post: header('list-unsubscribe-post'),
  };
}
