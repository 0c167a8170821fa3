import { availableParallelism } from 'node:os';

/** Parts of a lane run one after the other, lanes next to each other: the server computes, agents wait, and browsers do both. */
export type Lane = 'server' | 'packages' | 'browser';

/** Set by `npm test` when lanes run next to each other. */
export const sharedVariable = 'TEST_LANES';

/** On two cores: three files keep them busy, and more would only slow each other down until they reach their timeouts. */
const alone: Record<Lane, number> = { server: 3, packages: 3, browser: 2 };
const besideOthers: Record<Lane, number> = { server: 2, packages: 2, browser: 1 };

/** How many files of a lane run at a time. */
export function workersOf(lane: Lane, cores = availableParallelism()): number {
  const isShared = process.env[sharedVariable] === 'on';
  return (isShared ? besideOthers : alone)[lane] * Math.max(1, isShared ? Math.floor(cores / 2) : 1);
}
