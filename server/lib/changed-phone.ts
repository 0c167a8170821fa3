import { fail } from './errors.ts';
import { readPhone } from './phone.ts';

/** What a form says of a phone number: E.164, null to take it away, undefined when it stays as it is. Refuses what is none (5.17). */
export function changedPhone(given: string | null | undefined, now: string | null): string | null | undefined {
  if (given === undefined) return undefined;
  const read = given ? readPhone(given) : { e164: null };
  if ('tag' in read) fail('invalid_input', { fields: [{ field: 'PhoneNumber', tag: read.tag }] });
  return read.e164 === now ? undefined : read.e164;
}
