import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { notYetWords } from '@porchlight/contract/words/may-answer.ts';
import { atTime } from './dates.ts';

/** Why the reader may not answer, and when they may, in their own time zone. */
export const mayNotWords = ({ reason, from, why }: Extract<MayAnswer, { may: 'no' }>, now: Date): string =>
  from === null ? why : notYetWords(reason, atTime(new Date(from), now));
