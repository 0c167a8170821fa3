import type { WeakeningAct } from '@porchlight/contract/care.ts';

/** What the gate says to an act. */
export type Verdict = { go: true } | { go: false; wait_until: Date };

/** Every act may be done today. Who wants a guardian to say yes first, or some acts to wait, puts it here. */
export function verdictOn(_act: WeakeningAct): Verdict {
  return { go: true };
}
