import { brand } from '@porchlight/contract/brand.ts';
import { createTransport } from 'nodemailer';
import { mailFailure } from './faults.ts';
import type { Mailer } from './mail.ts';

const usually = { urgent: 4, ordinary: 2, bulk: 2 };

/**
 * Sends over SMTP (RFC 5321) by URL: `smtp://user:password@host:587`, `smtps://…`. `from` as in `Porchlight <no-reply@example.org>`. `patience`: milliseconds
 * without a word. `at_once`: connections for the mails of each urgency.
 */
export function smtpMailer(url: string, from: string, patience = 30_000, at_once: Record<keyof typeof usually, number> = usually): Mailer {
  const open = (maxConnections: number) =>
    createTransport({
      url,
      pool: true,
      maxConnections,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: patience,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  const transports = { urgent: open(at_once.urgent), ordinary: open(at_once.ordinary), bulk: open(at_once.bulk) };
  return {
    async send({ message_id, to, subject, html, text, unsubscribe, urgency = 'ordinary' }) {
      try {
        await transports[urgency].sendMail({
          messageId: `<${message_id}>`,
          from,
          to,
          subject,
          html,
          text,
          headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe ? oneClick(unsubscribe) : {}) },
        });
      } catch (err) {
        throw mailFailure(err);
      }
    },
    async close() {
      for (const transport of Object.values(transports)) transport.close();
    },
  };
}

/** RFC 8058: the mail program shows a button of its own, and posts to the address when it is pressed. */
function oneClick(url: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${url}>, <mailto:${brand.support.email}?subject=unsubscribe>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
