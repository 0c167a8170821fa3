import { atMoment, clock, inWords } from '../../../lib/dates.ts';

/** Ends a sentence: `on Thursday, December 3`, `tomorrow at 2:05 PM`. Null when it is due, and its job may already run. */
export function deletionDay(deletes: Date, now: Date): string | null {
  return deletes <= now ? null : atMoment(deletes, now);
}

/** The last moment to take the deletion back: `Thursday, December 3, at 2:05 PM`, because the last day ends early. */
export function deletionMoment(deletes: Date, now: Date): string {
  const moment = inWords(deletes, now);
  return moment.includes(' at ') ? moment : `${moment}, at ${clock(deletes)}`;
}
