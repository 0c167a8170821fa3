import type { WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import type { Device, NewPerson, Person } from '@porchlight/contract/devices.ts';
import { fail } from '../../lib/errors.ts';
import { readPhone } from '../../texts/phone.ts';

/** A computer's user as stored; the holder's data is left out, because the account has it. Undefined means unchanged. */
export function personFrom(givenPerson: NewPerson | null | undefined): Person | null | undefined {
  if (!givenPerson) return givenPerson;
  if (givenPerson.is_holder) return { name: '', phone_number: '', is_holder: true };
  const parsedPhone = givenPerson.phone_number ? readPhone(givenPerson.phone_number) : { e164: '' };
  if ('tag' in parsedPhone) fail('invalid_input', { fields: [{ field: 'PhoneNumber', tag: parsedPhone.tag }] });
  return { name: givenPerson.name, phone_number: parsedPhone.e164, is_holder: false };
}

export const isSamePerson = (a: Person | null, b: Person | null): boolean =>
  a?.name === b?.name && a?.phone_number === b?.phone_number && a?.is_holder === b?.is_holder;

const isHolder = (person: Person | null) => person?.is_holder ?? true;

/** Changing a device's user weakens protection (P10.1), because messages advise to call them. An unknown user counts as the holder. */
export function personAct(device: Pick<Device, 'uuid' | 'name' | 'person'>, newPerson: Person | null): WeakeningActivity | null {
  const previousPerson = device.person;
  if (isSamePerson(previousPerson, newPerson) || (isHolder(previousPerson) && isHolder(newPerson))) return null;
  return { kind: 'person_changed', device, what: changeSentence(previousPerson, newPerson) };
}

/** The end of the sentence `Ann changed who uses Den PC to …`. */
function changeSentence(previousPerson: Person | null, newPerson: Person | null): string {
  if (!newPerson || newPerson.is_holder) return 'the account holder';
  const name = newPerson.name || 'someone else';
  const samePerson = previousPerson && !previousPerson.is_holder && previousPerson.name === newPerson.name;
  return samePerson ? `${name}, with another phone number` : name;
}
