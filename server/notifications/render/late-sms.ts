import type { LateSms } from '../../texts/late-message.ts';
import { shortSms } from '../../texts/short-text.ts';

/** The longest time that `lib/late-message.ts` inserts. */
export const longestMoment = 'on Nov 21 at 10:05 PM UTC, 59 minutes ago';

/** A late SMS whose names are short enough for the text before and after the time to fit. `more`: sentences as far as they fit. */
export function lateSms(write: (name: (full: string) => string) => { before: string; after: string }, ...more: string[]): LateSms {
  let texts = { before: '', after: '' };
  shortSms((name) => {
    texts = write(name);
    return `${texts.before} ${longestMoment}${texts.after}`;
  });
  return { ...texts, more };
}
