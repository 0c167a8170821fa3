import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { mayNotAnswerWords } from '@porchlight/contract/words/may-answer.ts';
import { atTime } from './dates.ts';

/** Why the reader may not answer, and when they may. */
export const mayNotWords = ({ reason, from }: Extract<MayAnswer, { may: 'no' }>, now: Date): string =>
  mayNotAnswerWords(reason, from === null ? '' : atTime(new Date(from), now));
