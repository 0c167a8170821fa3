import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { requestSentences } from '@porchlight/contract/words/requests.ts';
import { passwordMissing, waitingWords } from '@porchlight/contract/words/waiting.ts';
import { atMoment, atTime } from '../../lib/dates.ts';
import { timesInWords } from '../../lib/times-in-words.ts';

/** What an open or past request would do, a sentence each. */
export const wantsOf = (request: HeldRequest): string[] => requestSentences(request, timesInWords(new Date(request.time)));

/** Why an open request waits, and what the holder can do without an answer. */
export function reasonOf(request: HeldRequest, now: Date): string {
  const passes = new Date(request.passes);
  if (passes <= now) return passwordMissing;
  const inWords = request.rule === 'hour' ? atTime : atMoment;
  return waitingWords(request, inWords(passes, now));
}
