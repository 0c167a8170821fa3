import type { Agent } from '../agent.ts';
import { type Lock, lockFolder, lockWithin } from '../state/lock.ts';
import { requestTakeover, yieldToRequests } from './update/make-room.ts';

const TIMEOUTS_MS = { leave: 10_000, room: 30_000 };

export interface TakeoverDeps {
  folder: string;
  start: (first: boolean) => Promise<Agent>;
  /** For an agent started to take over from another; `go` waits until the other agent has stepped back. */
  successor: { go(): Promise<void>; protects(): void } | null;
  /** Whether the system started this agent: after an update a successor may have the folder. */
  installed: boolean;
}

export interface RunningAgent {
  agent(): Agent;
  stepBack(): Promise<void>;
  takeBack(): Promise<void>;
}

/** Acquires the folder, if needed from another agent. Null when the other agent keeps it. */
export async function takeOver({ folder, start, successor, installed }: TakeoverDeps): Promise<RunningAgent | null> {
  await successor?.go();
  let lock: Lock | null = await (successor ? lockWithin(folder, TIMEOUTS_MS.leave) : lockFolder(folder));
  const takeoverRequest = !lock && installed ? await requestTakeover(folder) : null;
  if (takeoverRequest) lock = await lockWithin(folder, TIMEOUTS_MS.room);
  if (!lock) return null;
  let agent = await start(!takeoverRequest && !successor);
  const running: RunningAgent = {
    agent: () => agent,
    async stepBack() {
      const formerAgent = agent;
      await formerAgent.stepBack();
      // If stepping back timed out, another start of this agent has the folder now.
      if (agent !== formerAgent) return;
      await lock?.release();
      lock = null;
    },
    async takeBack() {
      // The folder is still locked by this process when stepping back did not finish.
      lock ??= await lockWithin(folder, TIMEOUTS_MS.leave);
      if (!lock) return;
      const formerAgent = agent;
      agent = await start(false);
      await formerAgent.close();
    },
  };
  if (takeoverRequest || successor) {
    await whenReady(agent);
    await takeoverRequest?.done();
    successor?.protects();
  }
  return running;
}

/** Waits without a timeout, because the other agent has a timeout. */
async function whenReady(agent: Agent): Promise<void> {
  while (!agent.ready()) await new Promise((resolve) => setTimeout(resolve, 20));
}

export function stayUntilReplaced(folder: string, running: RunningAgent, stop: AbortSignal): Promise<void> {
  return yieldToRequests(folder, TIMEOUTS_MS.room, stop, running);
}
