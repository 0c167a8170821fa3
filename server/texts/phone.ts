import { limits } from '@porchlight/contract/limits.ts';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/max';

/** Why a text is not a phone number: tags of the field errors (8.13). */
export type PhoneTag = 'invalid_country' | 'too_short' | 'too_long' | 'not_a_number' | 'invalid';

const tags = {
  INVALID_COUNTRY: 'invalid_country',
  TOO_SHORT: 'too_short',
  TOO_LONG: 'too_long',
  NOT_A_NUMBER: 'not_a_number',
  INVALID_LENGTH: 'invalid',
} as const satisfies Record<string, PhoneTag>;

/** `+1 (202) 555-0143` as E.164, `+12025550143`; or why the text is no number (5.17, 8.13). A country calling code is needed. */
export function readPhone(text: string): { e164: string } | { tag: PhoneTag } {
  if (text.length > limits.phone_input_max) return { tag: 'too_long' };
  // Address books surround copied text with invisible marks for the writing direction.
  const cleaned = text.replace(/\p{Cf}/gu, '').trim();
  if (!/^\+?[\s().\-‐-―]*\d[\d\s().\-‐-―]*$/.test(cleaned)) return { tag: 'not_a_number' };
  // Limits the national number to 17 digits (9.10), or to the country's maximum.
  const lengthError = validatePhoneNumberLength(cleaned);
  if (lengthError) return { tag: tags[lengthError] };
  const number = parsePhoneNumberFromString(cleaned, { extract: false });
  if (!number?.isValid()) return { tag: 'invalid' };
  return { e164: number.number };
}

/** A number (E.164) for display: `+1 202 555 0143`. */
export function phoneInWords(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
}

/** Where SMS go to: ISO 3166 codes such as `US`, or `all`. */
export type Countries = readonly string[] | 'all';

/** Satellite and international premium numbers belong to no country. */
export function isInCountries(countries: Countries, e164: string): boolean {
  if (countries === 'all') return true;
  const country = parsePhoneNumberFromString(e164)?.country;
  return country !== undefined && countries.includes(country);
}

/** The United States and Canada count as one, because they share numbers and prices. */
export function homeCountriesOf(e164: string): string[] {
  const number = parsePhoneNumberFromString(e164);
  const northAmerica = ['US', 'CA'];
  if (!number?.country) {
    const code = number?.countryCallingCode;
    return code === '1' ? northAmerica : getCountries().filter((country) => getCountryCallingCode(country) === code);
  }
  return northAmerica.includes(number.country) ? northAmerica : [number.country];
}
