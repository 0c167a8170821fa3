import { clock, inWords } from '../../../lib/dates.ts';

const words = (deletes: Date, now: Date) => {
  const moment = inWords(deletes, now);
  return { moment, near: /^(today|tomorrow) /.test(moment) };
};

/** Ends a sentence: `on Thursday, December 3`, `tomorrow 2:05 PM`. Null when it is due, and its job may already run. */
export function deletionDay(deletes: Date, now: Date): string | null {
  if (deletes <= now) return null;
  const { moment, near } = words(deletes, now);
  return near ? moment : `on ${moment}`;
}

/** The last moment to take the deletion back: `Thursday, December 3, 2:05 PM`, because the last day ends early. */
export function deletionMoment(deletes: Date, now: Date): string {
  const { moment, near } = words(deletes, now);
  return near ? moment : `${moment}, ${clock(deletes)}`;
}
