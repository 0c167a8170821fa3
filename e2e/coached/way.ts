import type { Household, HouseholdOptions } from './household.ts';

/**
 * What becomes of a scam. `stopped`: the program or the page does not open. `held`: nothing changes before somebody who may answer says yes.
 * `reported`: it happens, and the guardians hear of it at once. `missed`: it happens, and nobody hears of it.
 */
export type Outcome = 'stopped' | 'held' | 'reported' | 'missed';

/** One thing that a caller has a victim do. */
export interface Way {
  /** A sentence, unique, whose subject is the victim or the caller. */
  title: string;
  /** The number of the real scam in `docs/what-it-stops.md`; null: a way to switch the protection off. */
  flow: number | null;
  outcome: Outcome;
  household?: HouseholdOptions;
  /** Also a part of `npm test`; the others are only in the drill. */
  short?: true;
  /** Does it, and throws when the outcome is another one. */
  run(household: Household): Promise<void>;
}
