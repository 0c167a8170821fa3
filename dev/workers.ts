import { availableParallelism } from 'node:os';

export type Lane = 'packages' | 'browser';

/** Set by `npm test` when both lanes run next to each other. */
export const sharedVariable = 'TEST_LANES';

/**
 * How many files of a lane run at a time. Tests wait for timers, disks and other processes: three files keep two cores busy, and more would
 * only slow each other down until they reach their timeouts.
 */
export function workersOf(lane: Lane, cores = availableParallelism()): number {
  const alone = lane === 'packages' ? 3 : 2;
  const factor = Math.max(1, Math.floor(cores / 2));
  return process.env[sharedVariable] === 'both' ? Math.max(1, Math.floor((alone * factor + 1) / 2)) : alone;
}
