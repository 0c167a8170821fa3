import { brand } from '@porchlight/contract/brand.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { firstName, firstNameForOthers } from '../../texts/formatting.ts';

/** The email that invites a guardian, first or repeated. */
export function invitationEmail(guardian: string, holder: string, url: string): WrittenEmail {
  const name = firstNameForOthers(holder);
  return writeEmail({
    subject: `${name} asks you to be a guardian`,
    heading: `${firstNameForOthers(guardian)}, ${name} trusts you`,
    paragraphs: [
      `${name} uses ${brand.name}, which stops phone scammers from getting into a computer. ${name} asks you to be a guardian.`,
      'When something happens, we write to you at once, and say what to do. It costs nothing, and you see nothing private.',
      'Don’t know anyone by that name? Ignore this email.',
    ],
    button: { label: `Look out for ${name}`, url },
  });
}

export function linkAgainEmail(guardian: string, holder: string, url: string): WrittenEmail {
  const name = firstNameForOthers(holder);
  return writeEmail({
    subject: `Your link to look out for ${name}`,
    heading: `Here is your link again, ${firstNameForOthers(guardian)}`,
    paragraphs: [`With it you see how ${name} is doing. Older links no longer work. Please keep this one to yourself.`],
    button: { label: `See how ${name} is`, url },
  });
}

/** Sends a guardian their link again; the link stays the same. */
export function lostLinkEmail(guardian: string, holder: string, url: string): WrittenEmail {
  const name = firstNameForOthers(holder);
  return writeEmail({
    subject: `Your link to look out for ${name}`,
    heading: `Here is your link again, ${firstNameForOthers(guardian)}`,
    paragraphs: [
      `Someone asked for it, most likely you. With it you see how ${name} is doing. Please keep it to yourself.`,
      'If it wasn’t you, there’s nothing to do: only you get this email.',
    ],
    button: { label: `See how ${name} is`, url },
  });
}

export function declinedEmail(holder: string, guardian: string, url: string): WrittenEmail {
  return writeEmail({
    subject: `${guardian} said no to being your guardian`,
    heading: `${guardian} cannot be your guardian`,
    paragraphs: [
      `${firstName(holder)}, ${guardian} said no to your invitation. That happens. ${guardian} sees nothing of yours, and gets no alerts.`,
      'Is there someone else you trust? You can ask them. You can also ask the same person again, after a talk.',
    ],
    button: { label: 'See your guardians', url },
  });
}

export function leftEmail(holder: string, guardian: string, url: string): WrittenEmail {
  return writeEmail({
    subject: `${guardian} is no longer your guardian`,
    heading: `${guardian} stopped being your guardian`,
    paragraphs: [
      `${firstName(holder)}, from now on ${guardian} gets no alerts and sees nothing of yours. Your devices stay protected.`,
      `Not expected? Call ${guardian}. Someone else you trust can take over: invite them.`,
    ],
    button: { label: 'See your guardians', url },
  });
}
