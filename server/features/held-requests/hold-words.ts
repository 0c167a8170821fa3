import { errors } from '@porchlight/contract/errors.ts';
import { causeWords, passwordMissing, refusalWords, waitingWords } from '@porchlight/contract/words/waiting.ts';
import { timeWithDay, weekdayAndTime } from '../../texts/formatting.ts';
import type { Answering } from './ask-guardians.ts';
import { isWaiting, passesAt, type RequestRow, requestState } from './request-store.ts';

export interface HolderFacts extends Answering {
  needs_password: boolean;
  now: Date;
  /** The time zone of the device. */
  time_zone: string;
}

/** Why a call waits, for the holder at the screen. The screen names those who were asked. */
export function becauseOf(row: RequestRow, { asked, unproven, needs_password, now, time_zone }: HolderFacts): string {
  const refusal = refusalOf(row, now);
  if (refusal) return refusal;
  if (row.failure) return errors[row.failure].words;
  if (needs_password) return passwordMissing;
  if (!isWaiting(row, now)) return causeWords(row.cause, row.activities[0]?.kind, { who: 'You', whose: 'your' });
  return waitingWords({ ...row, asked, unproven }, passesInWords(row, time_zone));
}

/** Why a call waits, for a guardian. */
export const becauseForGuardian = (row: RequestRow, holder: string, now: Date): string =>
  refusalOf(row, now) ?? causeWords(row.cause, row.activities[0]?.kind, { who: holder, whose: `${holder}’s` });

function refusalOf(row: RequestRow, now: Date): string | null {
  const state = requestState(row, now);
  return state === 'no' ? refusalWords(row.answers.findLast(({ answer }) => answer === 'no')?.name ?? '', { ...row, state }) : null;
}

function passesInWords(row: RequestRow, zone: string): string {
  const passes = passesAt(row);
  return row.rule === 'hour' ? `at ${timeWithDay(passes, row.time, zone)}` : `on ${weekdayAndTime(passes, zone)}`;
}
