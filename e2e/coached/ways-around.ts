import { accountWays } from './around-accounts.ts';
import { agentWays } from './around-agent.ts';
import { changes } from './around-changes.ts';
import { floodWays } from './around-floods.ts';
import { guardianWays } from './around-guardians.ts';
import { helperWays } from './around-helpers.ts';
import { phoneWays } from './around-phones.ts';
import type { Way } from './way.ts';

/** Ways to switch the protection off that a caller could think of. */
export const waysAround: Way[] = [...changes, ...guardianWays, ...accountWays, ...agentWays, ...floodWays, ...phoneWays, ...helperWays];
