import root from '../../package.json' with { type: 'json' };
import { type Agent, type AgentDeps, startAgent } from '../agent.ts';
import { readSystemClock } from '../lib/clock.ts';
import { release } from '../lib/release.ts';
import type { Store } from '../state/store.ts';

/** What differs between agents; all else is this computer's and this program's. */
export interface StartDeps extends Omit<AgentDeps, 'version' | 'now' | 'readClock' | 'random'> {
  /** What an operator's file says of the server, for whoever knows no other keys yet. */
  operator: Parameters<Store['pinKeys']>[0] | null;
}

/** Starts the agent, on a folder that nobody else has. */
export async function begin({ operator, ...parts }: StartDeps): Promise<Agent> {
  if (operator && !(await parts.store.keys())) await parts.store.pinKeys(operator);
  return startAgent({
    ...parts,
    version: release?.version ?? root.version,
    now: () => new Date(),
    readClock: readSystemClock,
    random: Math.random,
  });
}

/** Another agent holds the folder. */
export const taken = (folder: string) =>
  new Error(`Another Porchlight agent already runs on ${folder}. Stop it first, or set AGENT_DATA_DIR to another folder.`);
