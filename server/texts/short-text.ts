import { withCapitals } from './quoted-name.ts';
import { fitsOneSms, inGsm, shortInGsm } from './sms-text.ts';

const lengths = [60, 40, 24, 14, 8, 6];

/** Long names are cut, but not the text. `write` gets a function that shortens a name. Throws when the text without names does not fit. */
export function shortSms(write: (name: (full: string) => string) => string): string {
  for (const length of lengths) {
    const text = inGsm(withCapitals(write((full) => shortInGsm(full, length))));
    if (fitsOneSms(text)) return text;
  }
  throw new Error('a text does not fit, however short its names are');
}
