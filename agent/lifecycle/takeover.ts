import type { Agent } from '../agent.ts';
import { type Lock, lockFolder, lockWithin } from '../state/lock.ts';
import { requestTakeover, yieldToRequests } from './update/make-room.ts';

/** In milliseconds. How long another agent may take to leave the folder, and how long a new one to protect. */
const TIMEOUTS_MS = { leave: 10_000, room: 30_000 };

export interface TakeoverDeps {
  folder: string;
  /** `first`: nobody was there before, or is. */
  start: (first: boolean) => Promise<Agent>;
  /** Started to take over: waits for the other agent's word. */
  successor: { go(): Promise<void>; protects(): void } | null;
  /** Started by the system: after an update another agent may hold the place. */
  installed: boolean;
}

export interface RunningAgent {
  agent(): Agent;
  stepBack(): Promise<void>;
  takeBack(): Promise<void>;
}

/** Begins in an empty place, or takes it from the agent before. Null when another agent keeps it. */
export async function takeOver({ folder, start, successor, installed }: TakeoverDeps): Promise<RunningAgent | null> {
  await successor?.go();
  let lock: Lock | null = await (successor ? lockWithin(folder, TIMEOUTS_MS.leave) : lockFolder(folder));
  const room = !lock && installed ? await requestTakeover(folder) : null;
  if (room) lock = await lockWithin(folder, TIMEOUTS_MS.room);
  if (!lock) return null;
  let agent = await start(!room && !successor);
  const life: RunningAgent = {
    agent: () => agent,
    async stepBack() {
      const before = agent;
      await before.stepBack();
      // It took too long, and another one of ours is in its place: the folder is that one's.
      if (agent !== before) return;
      await lock?.release();
      lock = null;
    },
    async takeBack() {
      // It is still ours when stepping back has not come to its end.
      lock ??= await lockWithin(folder, TIMEOUTS_MS.leave);
      // Somebody else has taken it, and protects.
      if (!lock) return;
      const before = agent;
      agent = await start(false);
      await before.close();
    },
  };
  if (room || successor) {
    await whenReady(agent);
    await room?.done();
    successor?.protects();
  }
  return life;
}

/** Only as long as the other agent has patience: it decides what becomes of one that is never ready. */
async function whenReady(agent: Agent): Promise<void> {
  while (!agent.ready()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A successor goes on until the system has started the program anew, and then ends. */
export function stayUntilReplaced(folder: string, life: RunningAgent, stop: AbortSignal): Promise<void> {
  return yieldToRequests(folder, TIMEOUTS_MS.room, stop, life);
}
