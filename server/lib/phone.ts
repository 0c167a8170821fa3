import { limits } from '@porchlight/contract/limits.ts';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/max';

/** Why a text is no phone number, as `fields` says it (8.13). */
export type PhoneTag = 'invalid_country' | 'too_short' | 'too_long' | 'not_a_number' | 'invalid';

const tags = {
  INVALID_COUNTRY: 'invalid_country',
  TOO_SHORT: 'too_short',
  TOO_LONG: 'too_long',
  NOT_A_NUMBER: 'not_a_number',
  INVALID_LENGTH: 'invalid',
} as const satisfies Record<string, PhoneTag>;

/**
 * A full international number as a person writes it (`+1 (202) 555-0143`), as E.164 (`+12025550143`); or why it is none (5.17, 8.13).
 * Nothing is guessed: without a calling code there is no number, and whatever else stands around one makes it none.
 */
export function readPhone(text: string): { e164: string } | { tag: PhoneTag } {
  if (text.length > limits.phone_input_max) return { tag: 'too_long' };
  // Address books put invisible marks for the writing direction around what is copied from them.
  const written = text.replace(/\p{Cf}/gu, '').trim();
  if (!/^\+?[\d\s().\-‐-―]*\d[\d\s().\-‐-―]*$/.test(written)) return { tag: 'not_a_number' };
  // Holds the national number to 17 digits everywhere (9.10), and to less where a country has less.
  const wrong = validatePhoneNumberLength(written);
  if (wrong) return { tag: tags[wrong] };
  const number = parsePhoneNumberFromString(written, { extract: false });
  if (!number?.isValid()) return { tag: 'invalid' };
  return { e164: number.number };
}

/** A number (E.164) as people write it: `+1 202 555 0143`. */
export function phoneInWords(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
}

/** Where texts go: ISO 3166 codes of countries, as `US`; or everywhere. */
export type Countries = readonly string[] | 'all';

/** Whether a number (E.164) belongs to one of the countries. A satellite or a premium number of no country belongs to none. */
export function isIn(countries: Countries, e164: string): boolean {
  if (countries === 'all') return true;
  const country = parsePhoneNumberFromString(e164)?.country;
  return country !== undefined && countries.includes(country);
}

/** The country of a number (E.164), with the other one of the United States and Canada, which share their numbers and prices. */
export function homeOf(e164: string): string[] {
  const number = parsePhoneNumberFromString(e164);
  const together = ['US', 'CA'];
  if (!number?.country) {
    const code = number?.countryCallingCode;
    return code === '1' ? together : getCountries().filter((country) => getCountryCallingCode(country) === code);
  }
  return together.includes(number.country) ? together : [number.country];
}
