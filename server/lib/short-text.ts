import { fitsOneSms, inGsm, shortInGsm } from './sms-text.ts';

/** How much of each name is kept: the first that makes the text fit. */
const lengths = [60, 40, 24, 14, 8, 6];

/**
 * One text message with the names that people chose, which may be long: names are cut rather than what follows them. `write` gets a function that
 * shortens a name; everything else it writes must fit by itself. Throws when it never does.
 */
export function shortSms(write: (name: (full: string) => string) => string): string {
  for (const length of lengths) {
    const text = inGsm(write((full) => shortInGsm(full, length)));
    if (fitsOneSms(text)) return text;
  }
  throw new Error('a text does not fit, however short its names are');
}
