import { fail } from './errors.ts';
import { type Countries, isIn, readPhone } from './phone.ts';

/** What a form says of a phone number: E.164, null to take it away, undefined when it stays as it is. Refuses what is none (5.17), and a new one of a country that no texts go to. */
export function changedPhone(given: string | null | undefined, now: string | null, countries: Countries): string | null | undefined {
  if (given === undefined) return undefined;
  const read = given ? readPhone(given) : { e164: null };
  if ('tag' in read) fail('invalid_input', { fields: [{ field: 'PhoneNumber', tag: read.tag }] });
  if (read.e164 === now) return undefined;
  if (read.e164 !== null && !isIn(countries, read.e164)) fail('phone_country', { fields: [{ field: 'PhoneNumber', tag: 'country' }] });
  return read.e164;
}
