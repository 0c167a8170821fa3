import { brand } from '@porchlight/contract/brand.ts';
import type { Person } from '@porchlight/contract/devices.ts';

/** Who sits at a computer, for whoever reads: someone else with a name, the reader, or perhaps the reader (nobody was named). */
export interface PersonAt {
  kind: 'other' | 'reader' | 'perhaps';
  name: string;
  /** How the name goes on: the name again, or *them* where there is none. */
  again: string;
  /** E.164 or empty. */
  phone_number: string;
}

/** `holder`: whose computers they are, where a guardian reads; a computer without a person is the holder's own (P8.1). */
export function personAt({ name, person }: { name: string; person?: Person | null | undefined }, holder?: string): PersonAt {
  if (person && !person.is_holder) {
    const named = person.name.trim();
    return { kind: 'other', name: named || `the person who uses ${name}`, again: named || 'them', phone_number: person.phone_number };
  }
  if (holder !== undefined) return { kind: 'other', name: holder, again: holder, phone_number: '' };
  return { kind: person ? 'reader' : 'perhaps', name: '', again: '', phone_number: '' };
}

/** The label of the button that calls them. */
export const callLabel = ({ again }: PersonAt) => `Call ${again}`;

const elseUses = ' Does someone else use that computer? Call them now.';

/** Something was started there, and a stranger may be on the phone right now. `off`: it may still be running. */
export function urgentAdvice(who: PersonAt, off: boolean): string {
  const hangUp = off ? 'hang up and switch the computer off' : 'hang up';
  if (who.kind === 'other') return `Someone may be on the phone with ${who.name}. Call ${who.again} now and ask them to ${hangUp}.`;
  const own = `If someone is on the phone with you, ${hangUp} now.`;
  return who.kind === 'reader' ? own : own + elseUses;
}

/** Someone took the protection away. */
export function unexpectedAdvice(who: PersonAt): string {
  if (who.kind === 'other') return `Not expected? Call ${who.name} now. A scammer may have asked for it.`;
  const own = 'If someone on the phone asked for this, hang up now.';
  return who.kind === 'reader' ? own : own + elseUses;
}

/** Nobody knows what happened to the computer. */
export function lostAdvice(who: PersonAt): string {
  if (who.kind === 'other') return `It may not be protected. Call ${who.name}. If it’s on, ask them to open ${brand.name} on it and check.`;
  return `It may not be protected. If it’s on, open ${brand.name} on it and check.`;
}

/** It is still protected, and will not be. */
export function leavingAdvice(who: PersonAt): string {
  const keep = `press Keep it in the ${brand.name} window on that computer.`;
  return who.kind === 'other'
    ? `Not expected? Call ${who.name}, and ask them to ${keep}`
    : `Not expected? ${keep.replace('press', 'Press')}`;
}
