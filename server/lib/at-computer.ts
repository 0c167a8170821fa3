import type { Person } from '@porchlight/contract/devices.ts';
import type { Email } from './email.ts';
import { firstName } from './formatting.ts';
import { phoneInWords } from './phone.ts';

/** Someone at a computer, as a message to somebody else speaks of them (P8.2). */
export interface AtComputer {
  /** Empty where nobody has said it. */
  name: string;
  device: string;
  /** E.164; null where none is known. */
  number: string | null;
}

/** Makes a name fit into what it is written in. */
type Short = (name: string) => string;
const asItIs: Short = (name) => name;

/** Who uses a computer of the account, where it is somebody else than its holder; null where it is the holder, or nobody has said. */
export function someoneElse(person: Person | null, device: string): AtComputer | null {
  if (!person || person.is_holder) return null;
  return { name: person.name, device, number: person.phone_number || null };
}

/** Whom a guardian calls about a computer. `holder`: the whole name. */
export function atComputer(person: Person | null, device: string, holder: string): AtComputer {
  return someoneElse(person, device) ?? { name: firstName(holder), device, number: null };
}

/** At the beginning of a sentence: `Mum`, `Someone at Den PC`. */
export const who = ({ name, device }: AtComputer, short = asItIs): string => (name ? short(name) : `Someone at ${short(device)}`);

/** Within a sentence: `Mum`, `the person at Den PC`. */
export const whom = ({ name, device }: AtComputer, short = asItIs): string => (name ? short(name) : `the person at ${short(device)}`);

/** What a guardian's button leads to. `holder`: the whole name. */
export const seeHow = ({ name }: AtComputer, holder: string): string => `See how ${name || firstName(holder)} is`;

/** How a text says to call them: `Call Mum`, `Call Mum: +12025550143`. */
export const callInText = (at: AtComputer, short = asItIs): string =>
  `Call ${whom(at, short)}${at.number === null ? '' : `: ${at.number}`}`;

/** What stands first in a letter where the number is known: *Call Mum*, which telephones dial. */
export const callFirst = (at: AtComputer | null): Pick<Email, 'call'> =>
  at?.number ? { call: { label: `Call ${whom(at)}`, number: at.number, shown: phoneInWords(at.number) } } : {};
