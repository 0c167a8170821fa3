import { brand } from '@porchlight/contract/brand.ts';
import type { Person } from '@porchlight/contract/devices.ts';

/** Who uses a computer, from the reader's view: somebody else, the reader, or possibly the reader (nobody was named). */
export interface PersonAt {
  kind: 'other' | 'reader' | 'perhaps';
  name: string;
  /** The name's second mention: the name again, or *them* without a name. */
  again: string;
  /** The phone number, E.164 or empty. */
  phone_number: string;
}

/** `holder`: the name of the computers' holder if a guardian reads. A computer without a person is the holder's own (P8.1). */
export function personAt({ name, person }: { name: string; person?: Person | null | undefined }, holder?: string): PersonAt {
  if (person && !person.is_holder) {
    const nameText = person.name.trim();
    return { kind: 'other', name: nameText || `the person who uses ${name}`, again: nameText || 'them', phone_number: person.phone_number };
  }
  if (holder !== undefined) return { kind: 'other', name: holder, again: holder, phone_number: '' };
  return { kind: person ? 'reader' : 'perhaps', name: '', again: '', phone_number: '' };
}

export const callLabel = ({ again }: PersonAt) => `Call ${again}`;

const elseUses = ' Does someone else use that computer? Call them now.';

/** A scammer may be on the phone now. `off`: the program may still be running. */
export function urgentAdvice(user: PersonAt, off: boolean): string {
  const hangUp = off ? 'hang up and turn the computer off' : 'hang up';
  if (user.kind === 'other') return `Someone may be on the phone with ${user.name}. Call ${user.again} now and ask them to ${hangUp}.`;
  const readerAdvice = `If someone is on the phone with you, ${hangUp} now.`;
  return user.kind === 'reader' ? readerAdvice : readerAdvice + elseUses;
}

export function unexpectedAdvice(user: PersonAt): string {
  if (user.kind === 'other') return `Not expected? Call ${user.name} now. A scammer may have asked for it.`;
  const readerAdvice = 'If someone on the phone asked for it, hang up.';
  return user.kind === 'reader' ? readerAdvice : readerAdvice + elseUses;
}

export function lostAdvice(user: PersonAt): string {
  if (user.kind === 'other')
    return `It may not be protected. Call ${user.name}. If it’s on, ask them to open ${brand.name} on it and check.`;
  return `It may not be protected. If it’s on, open ${brand.name} on it and check.`;
}

export const unarmedAdvice = `If it stays so for an hour, open ${brand.name} on it. It says what is wrong there.`;

export function leavingAdvice(user: PersonAt): string {
  const keepAdvice = `press Keep it in the ${brand.name} window on that computer.`;
  return user.kind === 'other'
    ? `Not expected? Call ${user.name}, and ask them to ${keepAdvice}`
    : `Not expected? ${keepAdvice.replace('press', 'Press')}`;
}
