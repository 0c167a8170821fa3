import { hangUpIfAsked } from '@porchlight/contract/advice.ts';
import { listOf } from '@porchlight/contract/language.ts';
import type { HeldRequestAnswer } from './held-request.ts';

const answerer = (asked: string[]) => (asked.length === 1 ? asked[0] : 'one of them');
/** What people read while a held request waits; everything together stays under 60 words. */
export const heldRequestMessages = {
  warning: hangUpIfAsked,
  heading: (asked: string[]) => (asked.length > 0 ? `We asked ${listOf(asked)}` : 'This has to wait'),
  unchanged: 'Nothing has changed yet.',
  /** For a page that polls. */
  atOnce: (asked: string[]) => (asked.length > 0 ? `We do it when ${answerer(asked)} says yes.` : ''),
  /** For a page that cannot poll. */
  pressAgain: (asked: string[]) => (asked.length > 0 ? `When ${answerer(asked)} says yes, press Try again.` : ''),
  tryAgain: 'Try again',
  stillNoAnswer: 'There is no answer yet.',
  /** In the form, after the dialog was closed without an answer. */
  later({ asked, by_server }: HeldRequestAnswer) {
    if (asked.length === 0) return 'Nothing has changed yet. This still has to wait. Do the same again later to finish it.';
    if (by_server) return `Nothing has changed yet. We do it when ${answerer(asked)} says yes. You don’t have to wait here.`;
    const open = `${listOf(asked)} still ${asked.length === 1 ? 'has' : 'have'} to answer`;
    return `Nothing has changed yet. ${open}. Do the same again later to finish it.`;
  },
} as const;
