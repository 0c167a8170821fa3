import type { WeakeningAct } from '@porchlight/contract/care.ts';
import type { Device, NewPerson, Person } from '@porchlight/contract/devices.ts';
import { fail } from '../../lib/errors.ts';
import { readPhone } from '../../lib/phone.ts';

/** A person as the database has them: the number as E.164, and of the holder nothing that the account says already. Undefined where nothing was said. */
export function personFrom(said: NewPerson | null | undefined): Person | null | undefined {
  if (!said) return said;
  if (said.is_holder) return { name: '', phone_number: '', is_holder: true };
  const read = said.phone_number ? readPhone(said.phone_number) : { e164: '' };
  if ('tag' in read) fail('invalid_input', { fields: [{ field: 'PhoneNumber', tag: read.tag }] });
  return { name: said.name, phone_number: read.e164, is_holder: false };
}

export const isSamePerson = (a: Person | null, b: Person | null): boolean =>
  a?.name === b?.name && a?.phone_number === b?.phone_number && a?.is_holder === b?.is_holder;

const isHolders = (person: Person | null) => person?.is_holder ?? true;

/**
 * Who is told to call whom, and later who may say that all is well, hangs on who uses a computer: so another person there weakens protection (P10.1). Null
 * where it does not: the holder is who it was taken for, as long as nobody had said.
 */
export function personAct(device: Pick<Device, 'uuid' | 'name' | 'person'>, now: Person | null): WeakeningAct | null {
  const before = device.person;
  if (isSamePerson(before, now) || (isHolders(before) && isHolders(now))) return null;
  return { kind: 'person_changed', device, what: inWords(before, now) };
}

/** How the act speaks of them: `Ann changed who uses Den PC to …`. */
function inWords(before: Person | null, now: Person | null): string {
  if (!now || now.is_holder) return 'the account holder';
  const name = now.name || 'someone else';
  const samePerson = before && !before.is_holder && before.name === now.name;
  return samePerson ? `${name}, with another phone number` : name;
}
