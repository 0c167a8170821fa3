import { clock, inWords } from '../../lib/dates.ts';

/** `at 3:05 PM`, and on another day `tomorrow 3:05 PM`. */
export function atTime(time: string, now: Date): string {
  const moment = new Date(time);
  const words = inWords(moment, now);
  return words.startsWith('today') ? `at ${clock(moment)}` : words;
}
