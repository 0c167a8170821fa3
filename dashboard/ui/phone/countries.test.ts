import { getCountries } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { countryName, countryRows } from './countries.ts';
import type { Country } from './phone.ts';

test.each<[Country, string[]]>([
  ['US', ['United States (+1)', 'Canada (+1)', 'Afghanistan (+93)']],
  ['CA', ['United States (+1)', 'Canada (+1)', 'Afghanistan (+93)']],
  ['DE', ['United States (+1)', 'Canada (+1)', 'Germany (+49)', 'Afghanistan (+93)']],
  ['001', ['United States (+1)', 'Canada (+1)', 'International', 'Afghanistan (+93)']],
])('[5.17] the country list for a number of %s begins with the United States and Canada', (ownCountry, firstCountries) => {
  expect(
    countryRows(ownCountry)
      .slice(0, firstCountries.length)
      .map((row) => row.label),
  ).toEqual(firstCountries);
});

test('[5.17] the country list of a phone field has every country once, sorted by name after the first ones, whatever the number’s country', () => {
  for (const ownCountry of [...getCountries(), '001'] as Country[]) {
    const rows = countryRows(ownCountry).map((row) => row.country);
    expect(rows.slice(0, 2)).toEqual(['US', 'CA']);
    expect(new Set(rows)).toEqual(new Set([...getCountries(), ownCountry]));
    expect(rows).toHaveLength(new Set(rows).size);
    const otherNames = rows.slice(ownCountry === 'US' || ownCountry === 'CA' ? 2 : 3).map(countryName);
    expect(otherNames).toEqual(otherNames.toSorted((a, b) => a.localeCompare(b, 'en')));
  }
});
