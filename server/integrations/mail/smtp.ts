import { brand } from '@porchlight/contract/brand.ts';
import { createTransport } from 'nodemailer';
import { mailFailure } from './faults.ts';
import type { Mailer } from './mail.ts';

const defaultConnections = { urgent: 4, ordinary: 2, bulk: 2 };

/** `url`: `smtp://user:password@host:587`, `smtps://…`. `timeoutMs`: socket timeout. `connections`: per urgency. */
export function smtpMailer(
  url: string,
  from: string,
  timeoutMs = 30_000,
  connections: Record<keyof typeof defaultConnections, number> = defaultConnections,
): Mailer {
  const open = (maxConnections: number) =>
    createTransport({
      url,
      pool: true,
      maxConnections,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  const transports = { urgent: open(connections.urgent), ordinary: open(connections.ordinary), bulk: open(connections.bulk) };
  return {
    async send({ message_id, request_id, to, subject, html, text, unsubscribe, urgency = 'ordinary' }) {
      try {
        await transports[urgency].sendMail({
          messageId: `<${message_id}>`,
          from,
          to,
          subject,
          html,
          text,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(request_id ? { 'X-Request-Id': request_id } : {}),
            ...(unsubscribe ? oneClick(unsubscribe) : {}),
          },
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

/** RFC 8058: the mail program shows an unsubscribe button, which posts to the URL. */
function oneClick(url: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${url}>, <mailto:${brand.support.email}?subject=unsubscribe>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
