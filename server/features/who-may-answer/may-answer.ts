import type { MayAnswer, MayNotAnswer } from '@porchlight/contract/may-answer.ts';
import { hour } from '@porchlight/contract/time.ts';
import { mayNotAnswerWords } from '@porchlight/contract/words/may-answer.ts';
import type { ProofState } from '../../incident-ports.ts';

/** From this long after accepting a guardian may answer (P10.2). */
export const guardian_proven = 72 * hour;
/** Guardians of an account's first day may answer at once, about what happens later. */
const first_day = 24 * hour;

export interface PlaceFacts {
  /** At a device of the account, or in a browser that its agent has answered. */
  near: boolean;
  /** A phone number that was verified early enough to prove by a code who answers (P10.2). */
  proven_phone: boolean;
  /** A number that is verified now proves who answers: it is the account's first day. */
  can_prove?: boolean;
}

export interface GuardianFacts {
  accepted: Date;
  first_connected: Date | null;
  /** When the incident opened or the request was made. */
  about: Date;
  now: Date;
}

/** Whether a guardian has been one for long enough (P10.2). A scammer's own guardian has not. */
export function isProvenGuardian({ accepted, first_connected, about, now }: GuardianFacts): boolean {
  if (now.getTime() - accepted.getTime() >= guardian_proven) return true;
  const ofFirstDay = first_connected !== null && accepted.getTime() <= first_connected.getTime() + first_day;
  return ofFirstDay && accepted < about;
}

export const mayNot = (reason: Exclude<MayNotAnswer, 'too_early' | 'stopped' | 'first_day'>): MayAnswer => ({
  may: 'no',
  reason,
  from: null,
  why: mayNotAnswerWords(reason),
});

/** Whether the place lets this person answer, who may. Also for *I’m on it* and leaving. */
export function atPlace({ near, proven_phone, can_prove = false }: PlaceFacts): MayAnswer {
  if (!near) return { may: 'yes' };
  return proven_phone ? { may: 'code' } : mayNot(can_prove ? 'place_number' : 'place');
}

/** Whether a guardian may say yes, or that it is over (P10.2). */
export function guardianMayAnswer(guardian: GuardianFacts, place: PlaceFacts): MayAnswer {
  return isProvenGuardian(guardian) ? atPlace(place) : mayNot('new_guardian');
}

export interface HolderFacts {
  /** Somebody other than the holder uses the device, and this counts (P8.1). */
  someone_elses: boolean;
  proof: ProofState;
}

/** What the holder may with this proof, who may `answer` once proven. With a new passkey, the password is asked. */
export function whileProvenBy(proof: ProofState, answer: MayAnswer): MayAnswer {
  if (proof === 'counts') return answer;
  return proof === 'new_password' ? mayNot('new_password') : { may: 'password' };
}

/** Whether the holder may say yes, or that it is over (P10.2): only about somebody else's computer. */
export function holderMayAnswer({ someone_elses, proof }: HolderFacts, place: PlaceFacts): MayAnswer {
  if (!someone_elses) return mayNot('own_computer');
  const here = atPlace(place);
  return here.may === 'no' ? here : whileProvenBy(proof, here);
}
