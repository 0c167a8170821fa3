import { anyOf, language, listOf } from '@porchlight/contract/language.ts';

/** `9:05 PM` */
export const clock = (when: Date): string => when.toLocaleTimeString(language, { hour: 'numeric', minute: '2-digit' }).replace(/\s/g, ' ');

/** `9:05 PM`, `9:05 PM tomorrow`, `9:05 PM yesterday`, and on another day than these `9:05 PM on Saturday, November 21`. */
export function clockAndDay(when: Date, now: Date): string {
  // As UTC, so that a day with a clock change has 24 hours.
  const dayOf = (moment: Date) => Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / 86_400_000;
  const days = dayOf(when) - dayOf(now);
  if (days === 0) return clock(when);
  return `${clock(when)} ${days === 1 ? 'tomorrow' : days === -1 ? 'yesterday' : `on ${longDay(when)}`}`;
}

const longDay = (when: Date) => when.toLocaleDateString(language, { weekday: 'long', month: 'long', day: 'numeric' });

/** `Saturday, November 21, 9:05 PM` */
export const dayAndClock = (when: Date): string => `${longDay(when)}, ${clock(when)}`;

/** `Bob and Carol`; names at most five people. */
export function names(people: string[]): string {
  const shownNames = people.length > 5 ? [...people.slice(0, 4), `${people.length - 4} others`] : people;
  return listOf(shownNames);
}

/** `Bob or Carol`; names at most two people. */
export const someOf = (people: string[]): string => anyOf(people.slice(0, 2));

export const capitalized = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
