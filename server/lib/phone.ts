import { limits } from '@porchlight/contract/limits.ts';
import { parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/max';

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
