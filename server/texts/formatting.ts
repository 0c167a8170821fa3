import { firstName } from '@porchlight/contract/names.ts';
import { isHarmlessName } from '@porchlight/contract/shapes.ts';
import type { TimesInWords } from '@porchlight/contract/words/activity-subject.ts';
import { formattedDate } from './date-formatters.ts';
import { quotedName } from './quoted-name.ts';

export { firstName };

/** `2026-11-26 09:50 UTC`: for operators, who compare it with logs. */
export const utcText = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** `2:05 PM on Tuesday, March 3`. An unknown zone falls back to UTC, which the text names. */
export function momentInWords(moment: Date, zone: string): string {
  return `${timeInWords(moment, zone)} on ${dayInWords(moment, zone)}`;
}

/** `Tuesday, November 17, at 6:02 PM`, in the computer's time zone. */
export function dayAndTime(moment: Date, zone: string): string {
  return `${dayInWords(moment, zone)}, at ${timeInWords(moment, zone)}`;
}

/** `Tuesday at 6:02 PM`, for a moment within a week. */
export function weekdayAndTime(moment: Date, zone: string): string {
  return `${american(moment, zone, { weekday: 'long' })} at ${timeInWords(moment, zone)}`;
}

export function dayInWords(moment: Date, zone: string): string {
  return american(moment, zone, { weekday: 'long', day: 'numeric', month: 'long' });
}

/** `March 3` */
export function dateInWords(moment: Date, zone: string): string {
  return american(moment, zone, { day: 'numeric', month: 'long' });
}

/** For what activities are about. */
export const timesIn = (zone: string): TimesInWords => ({
  moment: (time) => momentInWords(time, zone),
  date: (time) => dateInWords(time, zone),
});

/** `6:02 PM`; with `UTC` if it is that. */
export function timeInWords(moment: Date, zone: string): string {
  const options = { hour: 'numeric', minute: '2-digit' } as const;
  const local = zone === 'UTC' ? null : formattedDate(moment, zone, options);
  return local ?? `${american(moment, 'UTC', options)} UTC`;
}

/** `6:02 PM`, and `6:02 PM on Tuesday, March 3` on another day than `now`: an email is read later, so a name says more than *tomorrow*. */
export function timeWithDay(moment: Date, now: Date, zone: string): string {
  return dayInWords(moment, zone) === dayInWords(now, zone) ? timeInWords(moment, zone) : momentInWords(moment, zone);
}

/** Short form for SMS: `2:05pm`, and `2:05pm on Nov 20` on another day than `now`. */
export function momentInShort(moment: Date, now: Date, zone: string): string {
  const day = (date: Date) => american(date, zone, { day: 'numeric', month: 'short' });
  const clock = timeInWords(moment, zone).replace(/ [AP]M/, (suffix) => suffix.trim().toLowerCase());
  return `${clock}${day(moment) === day(now) ? '' : ` on ${day(moment)}`}`;
}

const american = (moment: Date, zone: string, options: Intl.DateTimeFormatOptions): string =>
  formattedDate(moment, zone, options) ?? formattedDate(moment, 'UTC', options) ?? '';

/** For people who did not choose to read of them: a name that speaks for somebody else, or leads somewhere, is hidden. */
export function firstNameForOthers(name: string): string {
  return (isHarmlessName(name) && firstName(quotedName(name, 'person'))) || 'Someone';
}
