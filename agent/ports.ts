import type { EventHub } from './lib/events.ts';

/**
 * What several rooms of the agent hear of.
 * `policyChanged`: other rules or definitions are in force, this computer became another device, or protection was paused or resumed.
 * `reportQueued`: something waits to be reported to the server. `checkInDue`: the server's knowledge of this computer is out of date.
 * `windowWanted`: the user is to see the window.
 */
export type AgentEvent = 'policyChanged' | 'reportQueued' | 'checkInDue' | 'windowWanted';
export type AgentEvents = EventHub<AgentEvent>;
