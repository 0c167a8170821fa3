import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { StoredItem, StoredItems } from '../ports.ts';

export interface MailboxMail {
  id: string;
  message_id: string;
  received: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** The unsubscribe header of RFC 8058. */
  list_unsubscribe: string | null;
  list_unsubscribe_post: string | null;
  /** By which the sender finds the mail in its log. */
  request_id: string | null;
}

export interface Mailbox {
  smtp_url: string;
  list(): Promise<MailboxMail[]>;
  close(): Promise<void>;
}

/** Progress of an email: recipient named, content started, stored, answered with 250. */
export type MailStep = 'rcpt' | 'data' | 'kept' | 'taken';

/**
 * A mail server simulator: accepts email over SMTP on a free loopback port and stores it in `items`. `onStep` can delay a recipient, or
 * refuse a recipient by throwing an error with a `responseCode`.
 */
export async function openMailbox(items: StoredItems, onStep: (step: MailStep, recipient: string) => unknown = () => {}): Promise<Mailbox> {
  const read = new Map<string, MailboxMail>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      const announceRecipient = async () => void (await onStep('rcpt', address));
      announceRecipient().then(() => done(), done);
    },
    onData: (stream, session, done) => {
      const recipient = session.envelope.rcptTo[0]?.address ?? '';
      onStep('data', recipient);
      const acknowledge = () => {
        onStep('kept', recipient);
        done();
        onStep('taken', recipient);
      };
      store(items, stream).then(acknowledge, done);
    },
  });
  server.on('error', () => {});
  // Otherwise each answer to commands that came together waits until the one before it has been acknowledged, for 40 ms.
  server.server.on('connection', (socket: Socket) => void socket.setNoDelay(true));
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

async function store(items: StoredItems, stream: Readable): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  await items.add(Buffer.concat(chunks));
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
    request_id: header('x-request-id'),
  };
}
