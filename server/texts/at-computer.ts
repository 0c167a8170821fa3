import type { Person } from '@porchlight/contract/devices.ts';
import type { Email } from './email.ts';
import { firstName } from './formatting.ts';
import { phoneInWords } from './phone.ts';
import { quotedName } from './quoted-name.ts';

export interface AtComputer {
  /** Empty if the user is unknown. */
  name: string;
  device: string;
  /** E.164; null if the number is unknown. */
  number: string | null;
}

/** Shortens a name to fit a message. */
type Shorten = (name: string) => string;
const unchanged: Shorten = (name) => name;

/** Null if the computer's user is the holder, or unknown. */
export function someoneElse(person: Person | null, device: string): AtComputer | null {
  if (!person || person.is_holder) return null;
  return { name: quotedName(person.name, 'person'), device: device && quotedName(device, 'device'), number: person.phone_number || null };
}

/** The user a guardian calls about a computer. `holder`: the whole name. */
export function atComputer(person: Person | null, device: string, holder: string): AtComputer {
  const own = { name: firstName(quotedName(holder, 'holder')), device: device && quotedName(device, 'device'), number: null };
  return someoneElse(person, device) ?? own;
}

/** At the beginning of a sentence: `Mum`, `Someone at Den PC`. */
export const nameOrSomeone = ({ name, device }: AtComputer, shorten = unchanged): string =>
  name ? shorten(name) : `Someone at ${shorten(device)}`;

/** Within a sentence: `Mum`, `the person at Den PC`. */
export const nameOrThePerson = ({ name, device }: AtComputer, shorten = unchanged): string =>
  name ? shorten(name) : `the person at ${shorten(device)}`;

export const seeHow = ({ name }: AtComputer, holder: string): string => `See how ${name || firstName(holder)} is`;

/** For SMS: `Call Mum`, `Call Mum: +12025550143`. */
export const callInText = (user: AtComputer, shorten = unchanged): string =>
  `Call ${nameOrThePerson(user, shorten)}${user.number === null ? '' : `: ${user.number}`}`;

/** The first button of an email if the number is known: *Call Mum*, a `tel:` link. */
export const callButton = (user: AtComputer | null): Pick<Email, 'call'> =>
  user?.number ? { call: { label: `Call ${nameOrThePerson(user)}`, number: user.number, shown: phoneInWords(user.number) } } : {};
