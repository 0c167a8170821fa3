import { brand } from '@porchlight/contract/brand.ts';
import { type WrittenLetter, writeLetter } from '../../lib/email.ts';
import { firstName } from '../../lib/formatting.ts';
import { shortText } from '../../lib/short-text.ts';

/** What HELP is answered (P5.5); one text. */
export const helpText = `${brand.name} texts you when something happens on a computer you look after. Help: ${brand.support.email}, ${brand.support.phone}. STOP ends texts.`;

/** The page behind the link that ends mails. */
export const pageTexts = {
  all: {
    title: 'Stop these emails?',
    text: (holder: string) => `You will get no more emails about ${holder}. Someone may need you and you would not know.`,
    button: 'Stop the emails',
    done: 'The emails have stopped.',
    after: (holder: string) =>
      `You stay a guardian of ${holder}. Put the emails on again on your own page, with the link of any email from us.`,
  },
  invited: {
    title: 'Stop these emails?',
    text: (holder: string) => `You will get no more emails about ${holder}. This also says no to being a guardian.`,
    button: 'Say no and stop the emails',
    done: 'The emails have stopped.',
    after: (holder: string) => `${holder} now knows that you cannot be a guardian. That is fine. ${holder} can ask you again one day.`,
  },
  weekly: {
    title: 'Stop the weekly email?',
    text: () => 'You will get no more emails on how the week was. Alerts still come.',
    button: 'Stop the weekly email',
    done: 'The weekly email has stopped.',
    after: () => 'Alerts still come.',
  },
  dead: 'This link no longer works.',
};

/** To the holder, when a guardian gets neither mails nor texts any more. */
export function unreachedLetter(holder: string, guardian: string, url: string): WrittenLetter {
  const name = firstName(guardian);
  return writeLetter({
    subject: `${name} gets no more alerts`,
    heading: `${name} gets no more alerts`,
    paragraphs: [
      `${firstName(holder)}, your guardian ${guardian} has switched emails and texts off. If something happens on one of your devices, ${name} will not know.`,
      `Ask ${name} to switch one of them on again, or name someone else.`,
    ],
    button: { label: 'See your guardians', url },
  });
}

/** To the other guardians: whoever wants nobody to look begins with them. */
export function guardianUnreachedLetter(holder: string, guardian: string, url: string): WrittenLetter {
  const [who, name] = [firstName(holder), firstName(guardian)];
  return writeLetter({
    subject: `${name} gets no more alerts about ${who}`,
    heading: `${name} gets no more alerts about ${who}`,
    paragraphs: [
      `${name} looks out for ${who} like you do, and has switched emails and texts off. If something happens, ${name} will not know. You will.`,
      `Not expected? Call ${who}.`,
    ],
    button: { label: `See how ${who} is`, url },
  });
}

/** `holder`: left out when it goes to the holder. */
export function unreachedText(guardian: string, holder?: string): string {
  return shortText((cut) => {
    const name = cut(firstName(guardian));
    if (holder === undefined) return `${name} switched off all alerts about you. Ask ${name} to turn them on again, or name someone else.`;
    const who = cut(firstName(holder));
    return `${name} switched off all alerts about ${who}. Not expected? Call ${who}.`;
  });
}
