import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { endedWords, refusalWords } from '@porchlight/contract/words/waiting.ts';
import { HttpError } from '../../lib/http.ts';
import { lapseOf } from '../../lib/lapse.ts';
import { messages } from './messages.ts';

/** Why nothing more will happen. */
export interface Ending {
  heading: string;
  /** Also the form’s error. */
  words: string;
  /** When the call may be made again, after a no. */
  again: Date | null;
  /** The change was made, and the page shows what was before. */
  done?: true;
}

/** The first name of the newest answer of a kind; null if nobody is named. */
const answeredBy = (request: HeldRequest | undefined, answer: 'yes' | 'no'): string | null =>
  request?.answers
    .filter((one) => one.answer === answer)
    .sort((a, b) => a.time.localeCompare(b.time))
    .at(-1)?.by ?? null;

/** Null while the call may still pass. After `passes` a request that lapsed takes the password. */
export function endingOf(request: HeldRequest | undefined, error: unknown, now: Date): Ending | null {
  if (error instanceof HttpError && error.status === 404) return { heading: messages.gone, words: messages.goneWords, again: null };
  if (request?.state === 'no' || request?.state === 'undone') {
    const name = answeredBy(request, 'no');
    const isOwn = request.answers.some(({ answer, you }) => answer === 'no' && you);
    if (isOwn)
      return {
        heading: messages.takenBack,
        words: messages.takenBackWords(request.state === 'undone' ? '' : endedWords(request)),
        again: null,
      };
    const words = refusalWords(name ?? 'Someone', request);
    return { heading: messages.no(name), words, again: request.state === 'no' ? new Date(request.until) : null };
  }
  if (request?.state === 'lapsed' && !passesNow(request, now)) {
    const heading = messages.lapsed[lapseOf(request)];
    return { heading, words: messages.lapsedWords(heading, endedWords(request)), again: null };
  }
  if (request?.state === 'impossible') return { heading: messages.impossible, words: request.because, again: null };
  if (request?.state === 'done')
    return { heading: messages.done, words: messages.doneWords(answeredBy(request, 'yes')), again: null, done: true };
  return null;
}

/** Whether the password alone lets the call pass (P10.2). */
export function passesNow(request: HeldRequest | undefined, now: Date): boolean {
  return (request?.state === 'open' || request?.state === 'lapsed') && now >= new Date(request.passes);
}

/** Why the call passes when it is made again; null while it does not. */
export function repeatWords(request: HeldRequest): string | null {
  if (request.state === 'free') return messages.free;
  return request.state === 'yes' ? messages.saidYes(answeredBy(request, 'yes')) : null;
}
