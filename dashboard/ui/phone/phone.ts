import { limits } from '@porchlight/contract/limits.ts';
import {
  AsYouType,
  type CountryCode,
  getCountryCallingCode,
  type PhoneNumber,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { messages } from './messages.ts';

/** A country, or `001` for the numbers of none, which begin with their own calling code (+800, +870 …). */
export type Country = CountryCode | '001';

/** Why a text is no phone number; the same names as the server's. */
export type PhoneTag = 'invalid_country' | 'too_short' | 'too_long' | 'not_a_number' | 'invalid';

/** What is typed, read: `number` is E.164, or '' as long as there is none. */
export interface PhoneReading {
  country: Country;
  number: string;
  problem: PhoneTag | null;
}

const tags = {
  INVALID_COUNTRY: 'invalid_country',
  TOO_SHORT: 'too_short',
  TOO_LONG: 'too_long',
  NOT_A_NUMBER: 'not_a_number',
  INVALID_LENGTH: 'invalid',
} as const satisfies Record<string, PhoneTag>;

/** Reads a number as it is dialled in `country`, or a full international one, which brings its own country (5.17). */
export function readPhone(country: Country, text: string): PhoneReading {
  if (text.length > limits.phone_input_max) return { country, number: '', problem: 'too_long' };
  // Address books put invisible marks for the writing direction around what is copied from them.
  const typed = text.replace(/\p{Cf}/gu, '').trim();
  if (!typed) return { country, number: '', problem: null };
  const none = (problem: PhoneTag): PhoneReading => ({ country: countryTyped(typed, country), number: '', problem });
  if (!/^\+?[\d\s().\-‐-―]*\d[\d\s().\-‐-―]*$/.test(typed)) return none('not_a_number');
  const from = country === '001' ? undefined : country;
  // Holds the national number to 17 digits everywhere (9.10), and to less where a country has less.
  const wrong = validatePhoneNumberLength(typed, from);
  if (wrong) return none(tags[wrong]);
  const found = parsePhoneNumberFromString(typed, { ...(from ? { defaultCountry: from } : {}), extract: false });
  return found?.isValid() ? { country: countryOf(found), number: found.number, problem: null } : none('invalid');
}

/** What is wrong with it, in words; null when nothing is, or nothing is there (8.13). */
export function phoneProblem(country: Country, text: string): string | null {
  const { problem } = readPhone(country, text);
  return problem && messages.problems[problem];
}

/** A full number (`+12025550143`, or '') as its field begins: its country, and the rest as people there write it. */
export function shownPhone(number: string): { country: Country; text: string } {
  const found = parsePhoneNumberFromString(number);
  if (!found) return { country: 'US', text: number };
  const country = countryOf(found);
  return { country, text: country === '001' ? found.formatInternational() : found.formatNational() };
}

/** A full number in a sentence: as its field shows it where that is clear, else with its calling code. */
export function phoneText(number: string): string {
  const found = parsePhoneNumberFromString(number);
  if (!found) return number;
  return found.countryCallingCode === '1' ? found.formatNational() : found.formatInternational();
}

/** What stands in the field when another country is chosen: without the old one's calling code. */
export function withoutCallingCode(country: Country, text: string): string {
  if (!text.trim().startsWith('+')) return text;
  const code = country === '001' ? '' : getCountryCallingCode(country);
  return text
    .trim()
    .slice(1)
    .replace(new RegExp(`^[\\s(]*${code}[\\s)]*`), '');
}

function countryOf(number: PhoneNumber): Country {
  return number.country ?? '001';
}

/** The country of a calling code that has been typed so far. Of several, the one that was chosen, or else the largest. */
function countryTyped(typed: string, chosen: Country): Country {
  if (!typed.startsWith('+')) return chosen;
  const reader = new AsYouType();
  reader.input(typed);
  const code = reader.getCallingCode();
  const countries = code ? metadata.country_calling_codes[code] : undefined;
  if (!code || countries?.includes(chosen as CountryCode)) return chosen;
  return countries?.[0] ?? '001';
}
