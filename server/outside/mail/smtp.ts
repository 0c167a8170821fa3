import { brand } from '@porchlight/contract/brand.ts';
import { createTransport } from 'nodemailer';
import { type Mailer, MailRefused } from './mail.ts';

/** Where a refusal is about this mail. Anywhere else it is about us, and an operator can mend it: a password, our address, a door that is closed. */
const aboutTheMail = ['RCPT TO', 'DATA'];

/** Sends over SMTP (RFC 5321) by URL: `smtp://user:password@host:587`, `smtps://…`. `from` as in `Porchlight <no-reply@example.org>`. `patience`: milliseconds without a word. */
export function smtpMailer(url: string, from: string, patience = 30_000): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ message_id, to, subject, html, text, unsubscribe }) {
      try {
        await transport.sendMail({
          messageId: `<${message_id}>`,
          from,
          to,
          subject,
          html,
          text,
          headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe ? oneClick(unsubscribe) : {}) },
        });
      } catch (err) {
        const { responseCode: said = 0, command = '', code } = err as { responseCode?: number; command?: string; code?: string };
        if (said >= 500 && said < 600 && aboutTheMail.includes(command)) {
          throw new MailRefused(`the mail server refused it for good (${said})`);
        }
        throw new Error(`the mail server did not take it (${said || code || 'no answer'})`);
      }
    },
    close: async () => transport.close(),
  };
}

/** RFC 8058: the mail program shows a button of its own, and posts to the address when it is pressed. */
function oneClick(url: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${url}>, <mailto:${brand.support.email}?subject=unsubscribe>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
