/**
 * Why something was not taken or not put back. `changed`: it is not what it was when it was looked at. `protected`: a path that is never touched,
 * or no plain file. `gone`: it is not there. `place_taken`: something else lies there now. `damaged`: not what was put away. `refused`: the system does not allow it.
 */
export const whyNots = ['changed', 'protected', 'gone', 'place_taken', 'damaged', 'refused'] as const;
export type WhyNot = (typeof whyNots)[number];

export class NotDone extends Error {
  readonly why: WhyNot;

  constructor(why: WhyNot) {
    super(why);
    this.why = why;
  }
}
