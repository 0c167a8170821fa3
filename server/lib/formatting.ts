import { firstName } from '@porchlight/contract/names.ts';
import { isHarmlessName } from '@porchlight/contract/shapes.ts';

export { firstName };

/** A moment in words, in the time zone of the computer it happened on: `2:05 PM on Tuesday, March 3`. An unknown zone falls back to UTC and says so. */
export function momentInWords(moment: Date, zone: string): string {
  return `${timeInWords(moment, zone)} on ${dayInWords(moment, zone)}`;
}

/** `Tuesday, November 17, at 6:02 PM`, as it was on a computer. */
export function dayAndTime(moment: Date, zone: string): string {
  return `${dayInWords(moment, zone)}, at ${timeInWords(moment, zone)}`;
}

/** `Tuesday, November 17` */
export function dayInWords(moment: Date, zone: string): string {
  return american(moment, zone, { weekday: 'long', day: 'numeric', month: 'long' });
}

/** `6:02 PM`; in UTC it says so. */
export function timeInWords(moment: Date, zone: string): string {
  const known = isZone(zone);
  return `${american(moment, zone, { hour: 'numeric', minute: '2-digit' })}${known && zone !== 'UTC' ? '' : ' UTC'}`;
}

/** The same in few letters, for a text: `2:05pm`, and `2:05pm on Nov 20` when that was another day than `now`. */
export function momentInShort(moment: Date, now: Date, zone: string): string {
  const day = (date: Date) => american(date, zone, { day: 'numeric', month: 'short' });
  const clock = timeInWords(moment, zone).replace(/ [AP]M/, (half) => half.trim().toLowerCase());
  return `${clock}${day(moment) === day(now) ? '' : ` on ${day(moment)}`}`;
}

function american(moment: Date, zone: string, options: Intl.DateTimeFormatOptions): string {
  const timeZone = isZone(zone) ? zone : 'UTC';
  // The space that no line may be broken at is in no alphabet of text messages.
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(moment).replaceAll('\u202f', ' ');
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * The first name of somebody in a mail to people who did not type it. A name that was entered before such names were refused may hold a link or a number to
 * call: then it is not said.
 */
export function firstNameForOthers(name: string): string {
  return isHarmlessName(name) ? firstName(name) : 'Someone';
}
