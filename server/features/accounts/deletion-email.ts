import { type WrittenEmail, writeEmail } from '../../lib/email.ts';
import { firstName } from '../../lib/formatting.ts';

/** The last email to a holder. It has no link, because there is no account that a link could open. */
export function accountDeletedEmail(name: string): WrittenEmail {
  return writeEmail({
    subject: 'Your account was deleted',
    heading: `Your account was deleted, ${firstName(name)}`,
    paragraphs: [
      'What we stored about it is gone. If you had a plan, it is canceled, and nothing more will be charged.',
      'Your computers are not linked to it any more, and nobody is notified about them.',
      'Not you? Write to us or call us right away, with the address or number below.',
    ],
  });
}
