import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { dayAndTime, dayInWords, firstName } from '../../texts/formatting.ts';

interface DeletionFacts {
  name: string;
  /** Stops the deletion without a login. */
  url: string;
  deletes: Date;
  zone: string;
}

const keepButton = (url: string) => ({ label: 'Keep my account', url });
const notYou = 'Wasn’t it you, or did someone on the phone ask you to? Hang up and press the button. You don’t need to log in.';

export function deletionAskedEmail({ name, url, deletes, zone }: DeletionFacts): WrittenEmail {
  return writeEmail({
    subject: `Your account will be deleted on ${dayInWords(deletes, zone)}`,
    heading: `Your account will be deleted, ${firstName(name)}`,
    paragraphs: [
      `You asked us to delete your account. We’ll do that on ${dayAndTime(deletes, zone)}. Until then your computers stay protected.`,
      'After that it’s gone for good, and your plan ends.',
      notYou,
    ],
    button: keepButton(url),
  });
}

/** A day before. */
export function deletionReminderEmail({ name, url, deletes, zone }: DeletionFacts): WrittenEmail {
  return writeEmail({
    subject: 'One day left to keep your account',
    heading: `One day left, ${firstName(name)}`,
    paragraphs: [
      `We’ll delete your account on ${dayAndTime(deletes, zone)}. Then your computers only have the free protection, and nothing comes back.`,
      'If you still want that, there’s nothing to do.',
      notYou,
    ],
    button: keepButton(url),
  });
}

/** The last email to a holder. It has no link, because there is no account that a link could open. */
export function accountDeletedEmail(name: string): WrittenEmail {
  return writeEmail({
    subject: 'Your account was deleted',
    heading: `Your account was deleted, ${firstName(name)}`,
    paragraphs: [
      'What we stored about it is gone. If you had a plan, it is canceled, and nothing more will be charged.',
      'Your computers are not linked to it anymore, and nobody is notified about them.',
      'Not you? Write to us or call us right away, with the address or number below.',
    ],
  });
}
