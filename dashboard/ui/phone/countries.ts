import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { messages } from './messages.ts';
import type { Country } from './phone.ts';

export interface CountryRow {
  country: Country;
  /** For example `Canada (+1)`. */
  label: string;
}

/** The United States and Canada first, whatever the language (5.17); then `ownCountry`, the number's country; then all others by name. */
export function countryRows(ownCountry: Country): CountryRow[] {
  const firstCountries: Country[] = ['US', 'CA', ...(ownCountry === 'US' || ownCountry === 'CA' ? [] : [ownCountry])];
  const row = (country: Country) => ({ country, label: label(country) });
  const otherRows = getCountries()
    .filter((country) => !firstCountries.includes(country))
    .map(row)
    .sort((a, b) => byName.compare(a.label, b.label));
  return [...firstCountries.map(row), ...otherRows];
}

// Created once, because collator and display names are slow to create.
const byName = new Intl.Collator('en');
const countryNames = new Intl.DisplayNames('en', { type: 'region' });

export function countryName(country: Country): string {
  if (country === '001') return messages.noCountry;
  return countryNames.of(country) ?? country;
}

function label(country: Country): string {
  return country === '001' ? countryName(country) : `${countryName(country)} (+${getCountryCallingCode(country)})`;
}
