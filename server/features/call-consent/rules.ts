import type { CallConsent } from '@porchlight/contract/calls.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { CallState } from '../../db/reach-tables.ts';
import { after } from '../../lib/clock.ts';
import { isFinal } from '../../notifications/calls/call-state.ts';
import { firstName } from '../../texts/formatting.ts';

/** A computer, who uses it, and what became of the newest call for consent. */
export interface ConsentFacts {
  device: { uuid: string; name: string };
  person: Person | null;
  person_set: Date | null;
  holder: { name: string; phone_number: string | null; phone_number_verified: boolean; phone_verified_time: Date | null };
  consent: { phone_number: string; asked: Date; agreed: Date | null; refused: Date | null } | null;
  /** The result of the newest call. */
  call: { state: CallState; created: Date; phone_number: string } | null;
}

interface ComputerUser {
  /** Empty: unknown. */
  name: string;
  is_holder: boolean;
  /** E.164; the holder's own only once it is verified. */
  phone_number: string | null;
  /** The newest change of who that is, or of their number. */
  since: Date | null;
}

/** A computer without a person counts as the holder's own (P8.1). */
export function userOf({ person, person_set, holder }: ConsentFacts): ComputerUser {
  if (person && !person.is_holder) {
    return { name: person.name, is_holder: false, phone_number: person.phone_number || null, since: person_set };
  }
  return {
    name: firstName(holder.name),
    is_holder: true,
    phone_number: holder.phone_number_verified ? holder.phone_number : null,
    since: newest(person_set, holder.phone_verified_time),
  };
}

/** Consent is that of one user on one number: another user or number has none (P11.1). `optedOut`: the number refuses calls and texts. */
export function consentState(facts: ConsentFacts, optedOut: boolean): CallConsent['state'] {
  const { phone_number, since } = userOf(facts);
  const { consent } = facts;
  if (phone_number === null) return 'none';
  if (optedOut) return 'refused';
  if (!consent || consent.phone_number !== phone_number || (since && since > consent.asked)) return 'none';
  // Who refused and later sent START can be asked again.
  if (consent.refused) return 'none';
  return consent.agreed ? 'agreed' : 'asked';
}

/** Whether the user's number is being called. The report of a call's end may never arrive, so a call counts only for a while. */
export function isCalling(facts: ConsentFacts, now: Date): boolean {
  const { call } = facts;
  return (
    call !== null &&
    call.phone_number === userOf(facts).phone_number &&
    !isFinal(call.state) &&
    after(call.created, serverLimits.consent_call_max) > now
  );
}

const newest = (a: Date | null, b: Date | null) => (a && b ? (a > b ? a : b) : (a ?? b));
