import type { Agent } from '../agent.ts';
import { type Lock, lockFolder, lockWithin } from '../state/lock.ts';
import { requestTakeover, yieldToRequests } from './update/make-room.ts';

/** How long another agent may take to leave the folder, and a new one to protect. */
const TIMEOUTS_MS = { leave: 10_000, room: 30_000 };

export interface TakeoverDeps {
  folder: string;
  /** `first`: no agent was here before. */
  start: (first: boolean) => Promise<Agent>;
  /** Set when this agent was started to take over; it waits for the other agent's signal. */
  successor: { go(): Promise<void>; protects(): void } | null;
  /** The system started this agent: after an update another one may hold the folder. */
  installed: boolean;
}

export interface RunningAgent {
  agent(): Agent;
  stepBack(): Promise<void>;
  takeBack(): Promise<void>;
}

/** Takes a free folder, or takes it over from the agent before. Null when another agent keeps it. */
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
      // Stepping back took too long, and another agent of ours holds the folder now.
      if (agent !== before) return;
      await lock?.release();
      lock = null;
    },
    async takeBack() {
      // The lock is still ours when stepping back was not finished.
      lock ??= await lockWithin(folder, TIMEOUTS_MS.leave);
      // Another agent has the folder, and protects.
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

/** Waits without a limit of its own: the other agent gives up on one that is never ready. */
async function whenReady(agent: Agent): Promise<void> {
  while (!agent.ready()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A successor stays until the system has started the new program, and then ends. */
export function stayUntilReplaced(folder: string, life: RunningAgent, stop: AbortSignal): Promise<void> {
  return yieldToRequests(folder, TIMEOUTS_MS.room, stop, life);
}
