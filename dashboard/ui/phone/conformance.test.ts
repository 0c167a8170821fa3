import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Country, readPhone, shownPhone } from './phone.ts';

/** One example of every kind of number in every country, kept beside the repository or where PHONE_EXAMPLES says. */
const examples = [
  process.env.PHONE_EXAMPLES,
  ...[4, 5].map((up) => new URL(`${'../'.repeat(up)}shared/data/conformance/phone-examples.tsv`, import.meta.url)),
].find((file) => file && existsSync(file));
if (!examples)
  console.log('skipped: the examples of phone numbers do not lie beside the repository, and PHONE_EXAMPLES does not say where they are');

const rows = examples
  ? readFileSync(examples, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
  : [];
const read = ([country = '', , national = '', e164 = '']: string[]) => ({ country: country as Country, national, e164 });

/** Numbers of no country (satellites, freephone of many countries …) are dialled with their calling code only, so without it they are none. */
const ofNoCountry = ['800', '808', '870', '870', '878', '881', '882', '882', '882', '883', '888', '979'];

test.skipIf(!examples)('[5.17] the examples of all countries are read as they are dialled there, but for those of no country', () => {
  const missed = rows.map(read).filter(({ country, national, e164 }) => readPhone(country, national).number !== e164);
  expect(rows.length).toBeGreaterThanOrEqual(1144);
  expect(rows.length - missed.length).toBeGreaterThanOrEqual(1130);
  expect(missed.map(({ country, national, e164 }) => [country, e164.slice(1, -national.length)])).toEqual(
    ofNoCountry.map((code) => ['001', expect.stringMatching(code)]),
  );
});

test.skipIf(!examples)(
  '[5.17] the examples of all countries are read in full with any country chosen, and as they are shown once saved',
  () => {
    const missed = rows.map(read).flatMap(({ e164 }) => {
      const shown = shownPhone(e164);
      const again = [readPhone('US', e164), readPhone('DE', e164), readPhone(shown.country, shown.text)].map(({ number }) => number);
      return again.every((number) => number === e164) ? [] : [`${e164}: ${again.join(' ')}`];
    });
    expect(missed).toEqual([]);
  },
);
