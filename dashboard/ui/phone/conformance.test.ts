import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Country, readPhone, shownPhone } from './phone.ts';

/** Numbers of every kind and country; the file is outside the repository, or where PHONE_EXAMPLES says. */
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

/** Numbers of no country (satellites, international freephone …) exist only with their calling code. */
const codesWithoutCountry = ['800', '808', '870', '870', '878', '881', '882', '882', '882', '883', '888', '979'];

test.skipIf(!examples)('[5.17] the examples of all countries are valid as dialled locally, except numbers of no country', () => {
  const missedExamples = rows.map(read).filter(({ country, national, e164 }) => readPhone(country, national).number !== e164);
  expect(rows.length).toBeGreaterThanOrEqual(1144);
  expect(rows.length - missedExamples.length).toBeGreaterThanOrEqual(1130);
  expect(missedExamples.map(({ country, national, e164 }) => [country, e164.slice(1, -national.length)])).toEqual(
    codesWithoutCountry.map((code) => ['001', expect.stringMatching(code)]),
  );
});

test.skipIf(!examples)(
  '[5.17] the examples of all countries are valid in full with any country chosen, and in the form shown after saving',
  () => {
    const missedNumbers = rows.map(read).flatMap(({ e164 }) => {
      const shownNumber = shownPhone(e164);
      const readNumbers = [readPhone('US', e164), readPhone('DE', e164), readPhone(shownNumber.country, shownNumber.text)].map(
        ({ number }) => number,
      );
      return readNumbers.every((number) => number === e164) ? [] : [`${e164}: ${readNumbers.join(' ')}`];
    });
    expect(missedNumbers).toEqual([]);
  },
);
