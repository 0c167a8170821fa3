import { firstName } from '@porchlight/contract/names.ts';
import { isHarmlessName } from '@porchlight/contract/shapes.ts';

export { firstName };

/** A moment in words, in the time zone of the computer it happened on: `14:05 on Tuesday 3 March`. An unknown zone falls back to UTC and says so. */
export function momentInWords(moment: Date, zone: string): string {
  return `${timeInWords(moment, zone)} on ${dayInWords(moment, zone)}`;
}

/** `Tuesday 17 November at 18:02`, as it was on a computer. */
export function dayAndTime(moment: Date, zone: string): string {
  return `${dayInWords(moment, zone)} at ${timeInWords(moment, zone)}`;
}

/** `Tuesday 17 November` */
export function dayInWords(moment: Date, zone: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', timeZone: isZone(zone) ? zone : 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(moment).replace(',', '');
}

/** `18:02`; in UTC it says so. */
export function timeInWords(moment: Date, zone: string): string {
  const known = isZone(zone);
  const options = { hour: '2-digit', minute: '2-digit', timeZone: known ? zone : 'UTC' } as const;
  return `${new Intl.DateTimeFormat('en-GB', options).format(moment)}${known && zone !== 'UTC' ? '' : ' UTC'}`;
}

/** The same in few letters, for a text: `14:05`, and `14:05 on 20 Nov` when that was another day than `now`. */
export function momentInShort(moment: Date, now: Date, zone: string): string {
  const known = isZone(zone);
  const timeZone = known ? zone : 'UTC';
  const day = (date: Date) => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone }).format(date);
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(moment);
  return `${clock}${known && zone !== 'UTC' ? '' : ' UTC'}${day(moment) === day(now) ? '' : ` on ${day(moment)}`}`;
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
