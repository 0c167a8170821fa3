import { getCountries } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { countryName, countryRows } from './countries.ts';
import type { Country } from './phone.ts';

test.each<[Country, string[]]>([
  ['US', ['United States (+1)', 'Canada (+1)', 'Afghanistan (+93)']],
  ['CA', ['United States (+1)', 'Canada (+1)', 'Afghanistan (+93)']],
  ['DE', ['United States (+1)', 'Canada (+1)', 'Germany (+49)', 'Afghanistan (+93)']],
  ['001', ['United States (+1)', 'Canada (+1)', 'International', 'Afghanistan (+93)']],
])('[5.17] the list for a number of %s begins with the United States and Canada', (own, first) => {
  expect(
    countryRows(own)
      .slice(0, first.length)
      .map((row) => row.label),
  ).toEqual(first);
});

test('[5.17] the country list of a phone field has every country once, sorted by name after the first ones, whatever the number’s country', () => {
  for (const own of [...getCountries(), '001'] as Country[]) {
    const rows = countryRows(own).map((row) => row.country);
    expect(rows.slice(0, 2)).toEqual(['US', 'CA']);
    expect(new Set(rows)).toEqual(new Set([...getCountries(), own]));
    expect(rows).toHaveLength(new Set(rows).size);
    const others = rows.slice(own === 'US' || own === 'CA' ? 2 : 3).map(countryName);
    expect(others).toEqual(others.toSorted((a, b) => a.localeCompare(b, 'en')));
  }
});
