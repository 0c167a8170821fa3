import { type WrittenEmail, writeEmail } from '../../../lib/email.ts';
import { momentInWords } from '../../../lib/formatting.ts';

interface AddedMethodFacts {
  what: string;
  time: Date;
  zone: string;
  /** Removes it, without a login. */
  url: string;
}

/** For the holder alone: the link must reach no guardian. */
export function addedMethodEmail({ what, time, zone, url }: AddedMethodFacts): WrittenEmail {
  return writeEmail({
    subject: `New way to log in: ${what}`,
    heading: `Someone added ${what} to log in with`,
    paragraphs: [
      `This happened at ${momentInWords(time, zone)}. It can now be used to log in to the account.`,
      'If this was you, there’s nothing to do. If not, or if someone on the phone asked you to add it, hang up and press the button. You don’t need to log in.',
      'The button works once, for 7 days. It removes what was added, and logs everyone out.',
    ],
    button: { label: 'Remove it', url },
  });
}
