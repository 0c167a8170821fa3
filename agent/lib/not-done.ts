/**
 * Why a file was not quarantined or restored. `changed`: it was modified meanwhile. `protected`: a path that is never modified, or not a
 * regular file. `gone`: it does not exist. `place_taken`: another file exists there. `damaged`: the content differs from the quarantined
 * one. `refused`: the system denied it.
 */
export const failureReasons = ['changed', 'protected', 'gone', 'place_taken', 'damaged', 'refused'] as const;
export type FailureReason = (typeof failureReasons)[number];

export class NotDone extends Error {
  readonly why: FailureReason;

  constructor(why: FailureReason) {
    super(why);
    this.why = why;
  }
}
