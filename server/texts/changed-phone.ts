import { fail } from '../lib/errors.ts';
import { type Countries, isInCountries, readPhone } from './phone.ts';

/**
 * The number in E.164 format, null to remove it, undefined if unchanged. Throws for an invalid number (5.17), or a new one in a country
 * that SMS do not go to.
 */
export function changedPhone(
  input: string | null | undefined,
  currentNumber: string | null,
  countries: Countries,
): string | null | undefined {
  if (input === undefined) return undefined;
  const parsed = input ? readPhone(input) : { e164: null };
  if ('tag' in parsed) fail('invalid_input', { fields: [{ field: 'PhoneNumber', tag: parsed.tag }] });
  if (parsed.e164 === currentNumber) return undefined;
  if (parsed.e164 !== null && !isInCountries(countries, parsed.e164))
    fail('phone_country', { fields: [{ field: 'PhoneNumber', tag: 'country' }] });
  return parsed.e164;
}
