import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { StoredItem, StoredItems } from '../ports.ts';

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

/**
 * The stand-in for a mail server: takes mail over SMTP on a free loopback port and keeps each in `items`. `seen` holds a recipient up, or refuses one by an
 * error with a `responseCode`.
 */
export async function openMailbox(items: StoredItems, seen: (step: MailStep, to: string) => unknown = () => {}): Promise<Mailbox> {
  const read = new Map<string, MailboxMail>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      const heard = async () => void (await seen('rcpt', address));
      heard().then(() => done(), done);
    },
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo[0]?.address ?? '';
      seen('data', to);
      const kept = () => {
        seen('kept', to);
        done();
        seen('taken', to);
      };
      keep(items, stream).then(kept, done);
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
      const mails: MailboxMail[] = [];
      for (const item of await items.list()) {
        const mail = read.get(item.id) ?? (await parse(item));
        read.set(item.id, mail);
        mails.push(mail);
      }
      return mails;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Before SMTP says 250. */
async function keep(items: StoredItems, stream: Readable): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  await items.add(Buffer.concat(parts));
}

async function parse({ id, received, content }: StoredItem): Promise<MailboxMail> {
  const mail = await PostalMime.parse(content);
  const header = (key: string) => mail.headers.find((one) => one.key === key)?.value ?? null;
  return {
    id,
    message_id: (mail.messageId ?? '').replace(/^<|>$/g, ''),
    received,
    from: mail.from?.address ?? '',
    to: (mail.to ?? []).flatMap((to) => to.address ?? []),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    list_unsubscribe: header('list-unsubscribe'),
    list_unsubscribe_post: header('list-unsubscribe-post'),
  };
}
