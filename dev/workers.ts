import { availableParallelism } from 'node:os';

export type Runner = 'vitest' | 'browser';

/** Set by `npm test` when parts run next to each other. */
export const sharedVariable = 'TEST_LANES';

/** On two cores: three files keep them busy, and more would only slow each other down until they reach their timeouts. */
const alone: Record<Runner, number> = { vitest: 3, browser: 2 };
const besideOthers: Record<Runner, number> = { vitest: 2, browser: 1 };

/** How many files run at a time. */
export function workersOf(runner: Runner, cores = availableParallelism()): number {
  const isShared = process.env[sharedVariable] === 'on';
  return (isShared ? besideOthers : alone)[runner] * Math.max(1, isShared ? Math.floor(cores / 2) : 1);
}
