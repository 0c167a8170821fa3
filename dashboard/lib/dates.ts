import { language } from '@porchlight/contract/language.ts';
import { day } from '@porchlight/contract/time.ts';

/**
 * After *until* and *since*, after a comma, and alone: `tomorrow at 2:05 PM`, `today at 2:05 PM`, `yesterday at 2:05 PM`, `Tuesday at 2:05 PM`,
 * `Tuesday, March 3`, and the year if it is another one.
 */
export function inWords(moment: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(moment)) / day);
  if (days === 0) return `today at ${clock(moment)}`;
  if (days === -1) return `tomorrow at ${clock(moment)}`;
  if (days === 1) return `yesterday at ${clock(moment)}`;
  if (days > 1 && days < 7) return `${format(moment, { weekday: 'long' })} at ${clock(moment)}`;
  const year = moment.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return format(moment, { weekday: 'long', month: 'long', day: 'numeric', ...year });
}

/** After a verb, as `inWords`, and before a weekday `on`: `We lost contact on Tuesday at 2:05 PM`. */
export function atMoment(moment: Date, now: Date): string {
  return inWords(moment, now).replace(/^(?=[A-Z])/, 'on ');
}

/** After *until* and *since*: `2:05 PM`, and on another day as `inWords`. */
export function clockOrDay(moment: Date, now: Date): string {
  return startOfDay(now) === startOfDay(moment) ? clock(moment) : inWords(moment, now);
}

/** After a verb: `at 2:05 PM`, and on another day as `atMoment`. */
export function atTime(moment: Date, now: Date): string {
  return startOfDay(now) === startOfDay(moment) ? `at ${clock(moment)}` : atMoment(moment, now);
}

/** `2:05 PM` */
export function clock(moment: Date): string {
  // Some browsers put a narrow no-break space before the PM, which few fonts have.
  return format(moment, { hour: 'numeric', minute: '2-digit' }).replace(/\s/gu, ' ');
}

function startOfDay(moment: Date): number {
  // As UTC, so that a day with a clock change has 24 hours.
  return Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate());
}

function format(moment: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, options).format(moment);
}
