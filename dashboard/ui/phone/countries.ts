import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { messages } from './messages.ts';
import type { Country } from './phone.ts';

export interface CountryRow {
  country: Country;
  /** As the list shows it: `Canada (+1)`. */
  label: string;
}

/** The United States and Canada first, whatever the language or the number (5.17); then `own`, the country of the number; then all others by name. */
export function countryRows(own: Country): CountryRow[] {
  const first: Country[] = ['US', 'CA', ...(own === 'US' || own === 'CA' ? [] : [own])];
  const row = (country: Country) => ({ country, label: label(country) });
  const others = getCountries()
    .filter((country) => !first.includes(country))
    .map(row)
    .sort((a, b) => byName.compare(a.label, b.label));
  return [...first.map(row), ...others];
}

// Created once, because both are slow to create.
const byName = new Intl.Collator('en');
const names = new Intl.DisplayNames('en', { type: 'region' });

/** English, like all messages so far. */
export function countryName(country: Country): string {
  if (country === '001') return messages.noCountry;
  return names.of(country) ?? country;
}

function label(country: Country): string {
  return country === '001' ? countryName(country) : `${countryName(country)} (+${getCountryCallingCode(country)})`;
}
