import type { WeakeningAct } from '@porchlight/contract/care.ts';

/** What the gate says to an act. */
export type Verdict = { go: true } | { go: false; wait_until: Date };

/** Allows every act today. A rule that makes an act wait, or asks a guardian first, belongs here. */
export function verdictOn(_act: WeakeningAct): Verdict {
  return { go: true };
}
