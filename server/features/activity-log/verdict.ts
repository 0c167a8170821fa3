import type { WeakeningActivity } from '@porchlight/contract/activity-log.ts';

export type Verdict = { allowed: true } | { allowed: false; wait_until: Date };

/** Allows every act. Rules that delay acts or require a guardian's approval belong here. */
export function verdictOn(_act: WeakeningActivity): Verdict {
  return { allowed: true };
}
