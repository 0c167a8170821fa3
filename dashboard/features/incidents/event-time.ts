import { language } from '@porchlight/contract/language.ts';
import { clock } from '../../lib/dates.ts';

/** `2:05 PM` on the day that the incident opened, `Nov 22, 2:05 PM` on another one. */
export function eventTime(time: string, opened: string): string {
  const moment = new Date(time);
  const sameDay = moment.toDateString() === new Date(opened).toDateString();
  const day = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }).format(moment);
  return sameDay ? clock(moment) : `${day}, ${clock(moment)}`;
}

/** For a time in words at the start of a line. */
export const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
