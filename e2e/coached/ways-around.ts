import { agentWays } from './around-agent.ts';
import { changes } from './around-changes.ts';
import { guardianWays } from './around-guardians.ts';
import type { Way } from './way.ts';

/** Ways to switch the protection off that a caller could think of. */
export const waysAround: Way[] = [...changes, ...guardianWays, ...agentWays];
