import type { Selectable } from 'kysely';
import type { Trx } from '../../db/open.ts';
import type { CallPurpose, ReachTables } from '../../db/reach-tables.ts';

export type CallRow = Selectable<ReachTables['calls']>;

/** What is read aloud, a sentence each. `keys`: it is read twice, and a key can be pressed meanwhile and for a few seconds after it. */
export interface CallScript {
  say: string[];
  keys: boolean;
}

/** What the calls of one purpose say and cause. */
export interface CallPurposeRules {
  /** Asked when somebody picked up. `machine`: voicemail, to which it is read after the tone. */
  script(call: CallRow, by: 'human' | 'machine'): Promise<CallScript>;
  /** A key was pressed, `0` to `9`, `*` or `#`. Returns what is read before the line is closed. */
  pressed(call: CallRow, key: string): Promise<CallScript>;
  /** The call is over, or could not be made, in the transaction that stores its final state. */
  ended(trx: Trx, call: CallRow): Promise<unknown>;
}

export type CallRules = Record<CallPurpose, CallPurposeRules>;

/** Stores a call and queues it, in `trx`. Returns the call's id. */
export type PlaceCall = (
  trx: Trx,
  call: Pick<CallRow, 'account' | 'purpose' | 'incident' | 'device' | 'guardian' | 'name' | 'phone_number'>,
) => Promise<string>;
