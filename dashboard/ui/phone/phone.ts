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
import { messages, type PhoneTag } from './messages.ts';

/** `001` for numbers of no country (+800, +870 …). */
export type Country = CountryCode | '001';

/** `number` is E.164, or '' if invalid. */
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

/** Reads a number as dialled in `country`, or a full international one, whose country wins (5.17). */
export function readPhone(country: Country, text: string): PhoneReading {
  if (text.length > limits.phone_input_max) return { country, number: '', problem: 'too_long' };
  // Address books add invisible marks for the writing direction.
  const cleanText = text.replace(/\p{Cf}/gu, '').trim();
  if (!cleanText) return { country, number: '', problem: null };
  const noNumber = (problem: PhoneTag): PhoneReading => ({ country: countryTyped(cleanText, country), number: '', problem });
  if (!/^\+?[\s().\-‐-―]*\d[\d\s().\-‐-―]*$/.test(cleanText)) return noNumber('not_a_number');
  const defaultCountry = country === '001' ? undefined : country;
  // At most 17 national digits (9.10), fewer where a country has fewer.
  const lengthProblem = validatePhoneNumberLength(cleanText, defaultCountry);
  if (lengthProblem) return noNumber(tags[lengthProblem]);
  const parsedNumber = parsePhoneNumberFromString(cleanText, { ...(defaultCountry ? { defaultCountry } : {}), extract: false });
  return parsedNumber?.isValid() ? { country: countryOf(parsedNumber), number: parsedNumber.number, problem: null } : noNumber('invalid');
}

/** The error text; null for a valid or empty input (8.13). */
export function phoneProblem(country: Country, text: string): string | null {
  const { problem } = readPhone(country, text);
  return problem && messages.problems[problem];
}

/** The initial country and local form of a full number (`+12025550143`, or ''). */
export function shownPhone(number: string): { country: Country; text: string } {
  const parsedNumber = parsePhoneNumberFromString(number);
  if (!parsedNumber) return { country: 'US', text: number };
  const country = countryOf(parsedNumber);
  return { country, text: country === '001' ? parsedNumber.formatInternational() : parsedNumber.formatNational() };
}

/** A full number for a sentence: as in its field if unambiguous, else with its calling code. */
export function phoneText(number: string): string {
  const parsedNumber = parsePhoneNumberFromString(number);
  if (!parsedNumber) return number;
  return parsedNumber.countryCallingCode === '1' ? parsedNumber.formatNational() : parsedNumber.formatInternational();
}

/** The input without its calling code, for another chosen country. */
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

/** The country of a partial calling code. Among several the chosen one, else the largest. */
function countryTyped(typedText: string, chosen: Country): Country {
  if (!typedText.startsWith('+')) return chosen;
  const reader = new AsYouType();
  reader.input(typedText);
  const code = reader.getCallingCode();
  const countries = code ? metadata.country_calling_codes[code] : undefined;
  if (!code || countries?.includes(chosen as CountryCode)) return chosen;
  return countries?.[0] ?? '001';
}
