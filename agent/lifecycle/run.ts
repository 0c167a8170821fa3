import root from '../../package.json' with { type: 'json' };
import { type Agent, type AgentDeps, startAgent } from '../agent.ts';
import { readSystemClock } from '../lib/clock.ts';
import { release } from '../lib/release.ts';
import type { Os } from '../os/port.ts';
import type { Log } from '../ports.ts';
import { noteRun, type Run } from '../state/last-run.ts';
import type { Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';
import { stayUntilReplaced, type TakeoverDeps, takeOver } from './takeover.ts';
import { withTemporaryNotice } from './temporary-notice.ts';
import { autoUpdate } from './update/auto-update.ts';

type EndReason = 'shutdown' | 'stopped';

/** What differs between agents; everything else is this computer's and this program's. */
export interface StartDeps extends Omit<AgentDeps, 'version' | 'now' | 'readClock' | 'random'> {
  /** The keys in an operator's file, for an agent that knows no others yet. */
  operator: Parameters<Store['pinKeys']>[0] | null;
}

/** Starts the agent with the version and the clocks of this program, on a folder that nobody else has. */
export async function startHere({ operator, ...deps }: StartDeps): Promise<Agent> {
  if (operator && !(await deps.store.keys())) await deps.store.pinKeys(operator);
  const version = release?.version ?? root.version;
  return startAgent({ ...deps, version, now: () => new Date(), readClock: readSystemClock, random: Math.random });
}

export const alreadyRunning = (folder: string) =>
  new Error(`Another Porchlight agent already runs on ${folder}. Stop it first, or set AGENT_DATA_DIR to another folder.`);

export interface RunDeps extends Pick<TakeoverDeps, 'folder' | 'successor' | 'installed'> {
  os: Os;
  store: Store;
  server: string;
  /** Of this start of the computer: a run of an earlier one has not died, it was switched off. */
  boot: string;
  start: (os: Os) => Promise<Agent>;
  /** Puts back what an agent that was killed left behind, and what this one leaves when it ends. */
  restore?: (why: 'killed' | EndReason) => Promise<unknown>;
  /** The options that a successor is started with. */
  args: string[];
  env: NodeJS.ProcessEnv;
  execPath: string;
  log: Log;
  /** The successor with this process id protects now. */
  tookOver?: ((pid: number) => void) | undefined;
  leave: () => void;
}

export interface RunningHere {
  /** The agent, once it has the folder. Rejects when another one keeps it. */
  started: Promise<Agent>;
  /** Ends the agent for good, also while it starts. */
  end(why: EndReason | Promise<EndReason>): Promise<void>;
  /** Closes the agent for a new one that is started at once. */
  close(): Promise<void>;
}

/** The start sequence of every agent that the system or a user keeps running: note the run, take the folder over, stand in after an update, stay up to date. */
export function runHere(deps: RunDeps): RunningHere {
  const { folder, os, store, server, successor, restore, log, leave } = deps;
  const ending = new AbortController();
  let run: Run | null = null;
  let starting: Promise<Agent> | null = null;

  const start = async (first: boolean): Promise<Agent> => {
    // An agent that makes room has put back what only one may have.
    if (first) await restore?.('killed');
    run = await noteRun(folder, deps.boot, (why) => log(messages.terminal.notWritten('That it runs', why)));
    return deps.start(first && run.died ? withTemporaryNotice(os, messages.terminal.restarted, readSystemClock) : os);
  };
  const sequence = async (): Promise<Agent> => {
    const running = await takeOver({
      ...{ folder, successor, installed: deps.installed },
      start(first) {
        starting = start(first);
        return starting;
      },
    });
    if (!running) throw alreadyRunning(folder);
    if (successor)
      void stayUntilReplaced(folder, running, ending.signal)
        .then(() => running.agent().close())
        .then(leave);
    const { args, env, execPath, tookOver: took } = deps;
    if (release) autoUpdate({ release, store, server, life: running, args, env, execPath, log, took, leave });
    return running.agent();
  };

  return {
    started: sequence(),
    async end(why) {
      ending.abort();
      const [agent, reason] = await Promise.all([starting, why]);
      await agent?.close(reason);
      await restore?.(reason);
      await run?.over();
    },
    async close() {
      await (await starting)?.close();
    },
  };
}
