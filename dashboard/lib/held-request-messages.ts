import { inWords } from './dates.ts';
import type { HeldRequestAnswer } from './held-request.ts';

const listFormat = new Intl.ListFormat('en-US', { type: 'conjunction' });
const yes = (asked: string[]) => (asked.length === 1 ? `If ${asked[0]} says yes` : 'If one of them says yes');

/** What people read while a held request waits; everything together stays under 60 words. */
export const heldRequestMessages = {
  warning: 'If someone on the phone told you to do this, hang up.',
  heading: (asked: string[]) => (asked.length > 0 ? `We asked ${listFormat.format(asked)} first` : 'This has to wait'),
  unchanged: 'Nothing has changed yet.',
  /** For a page that polls. */
  atOnce: (asked: string[]) => (asked.length > 0 ? `${yes(asked)}, we do it right away.` : ''),
  /** For a page that cannot poll. */
  pressAgain: (asked: string[]) => (asked.length > 0 ? `${yes(asked)}, press Try again.` : ''),
  unanswered: (until: Date, now: Date) => `No answer by ${inWords(until, now)}? Then your password is enough.`,
  unansweredElsewhere: (until: Date, now: Date) => `No answer by ${inWords(until, now)}? Log in, then open this link again.`,
  tryAgain: 'Try again',
  stillNoAnswer: 'There is no answer yet.',
  /** In the form, after the dialog was closed without an answer. */
  later: ({ asked }: HeldRequestAnswer) =>
    `Nothing has changed yet. ${asked.length > 0 ? `${listFormat.format(asked)} still ${asked.length === 1 ? 'has' : 'have'} to answer` : 'This still has to wait'}. Do the same again later to finish it.`,
} as const;
