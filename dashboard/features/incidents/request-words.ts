import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { requestSentences } from '@porchlight/contract/words/requests.ts';
import { causeWords, isAboutProgram, passwordMissing, unansweredWords } from '@porchlight/contract/words/waiting.ts';
import { atMoment, atTime } from '../../lib/dates.ts';
import { timesInWords } from '../../lib/times-in-words.ts';

/** What an open or past request would do, a sentence each. */
export const wantsOf = (request: HeldRequest): string[] => requestSentences(request, timesInWords(new Date(request.time)));

/** Why an open request waits, and what the holder can do without an answer. */
export function reasonOf({ cause, rule, activities, asked, passes }: HeldRequest, now: Date): string {
  const time = new Date(passes);
  if (time <= now) return passwordMissing;
  const when = isAboutProgram(cause) ? null : rule === 'hour' ? atTime(time, now) : atMoment(time, now);
  return `${causeWords(cause, activities[0]?.kind, { who: 'You', whose: 'your' })} ${unansweredWords(rule, asked.length > 0, when)}`;
}
