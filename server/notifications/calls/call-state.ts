import { minute } from '@porchlight/contract/time.ts';
import type { CallState } from '../../db/reach-tables.ts';

/** A call that could not be made within this time is not made: an escalation has gone on. */
export const call_wanted_for = 2 * minute;
/** After this time without a result a call counts as over, as when the telephone service loses a report. */
export const call_given_up = 3 * minute;
/**
 * From then on nothing is read to a call, and no key of it counts: the latest permitted call rang, was read to twice and waited for a key.
 * Otherwise somebody who recorded a signed form could answer the next incident with it.
 */
export const call_open_for = 5 * minute;

/** Later states have higher numbers. Those of 3 are final. */
const order: Record<CallState, number> = { queued: 0, ringing: 1, answered: 2, machine: 3, completed: 3, busy: 3, no_answer: 3, failed: 3 };

export const isFinal = (state: CallState): boolean => order[state] === 3;

/** The state after a report. Reports may be repeated, and arrive in any order: a call only moves forward, and what is final stays. */
export function nextState(current: CallState, reported: CallState): CallState {
  if (order[reported] <= order[current]) return current;
  // A call that ended before we knew who picked up has been heard by nobody.
  return reported === 'completed' && current !== 'answered' ? 'no_answer' : reported;
}

/** https://www.twilio.com/docs/voice/api/call-resource#call-status-values. Null changes nothing. */
const ofStatus: Record<string, CallState> = {
  initiated: 'ringing',
  ringing: 'ringing',
  // Who picked up is reported when the words are asked for.
  'in-progress': 'ringing',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  failed: 'failed',
  canceled: 'failed',
};

export const stateOfStatus = (status: string): CallState | null => (Object.hasOwn(ofStatus, status) ? (ofStatus[status] ?? null) : null);

/** https://www.twilio.com/docs/voice/answering-machine-detection: a caller that is unsure says `unknown`, and asks as it asks people. */
export const isMachine = (answered_by: string | null): boolean => answered_by !== null && /^(machine|fax)/.test(answered_by);
