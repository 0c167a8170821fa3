import root from '../../package.json' with { type: 'json' };
import { type Agent, type AgentDeps, startAgent } from '../agent.ts';
import { readSystemClock } from '../lib/clock.ts';
import { watchLoop } from '../lib/loop-watch.ts';
import { release } from '../lib/release.ts';
import type { ClockReading } from '../lib/span.ts';
import type { Os } from '../os/port.ts';
import type { Log } from '../ports.ts';
import { noteRun, type Run } from '../state/last-run.ts';
import { readLeftOut } from '../state/left-out-file.ts';
import type { Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';
import { stayUntilReplaced, type TakeoverDeps, takeOver } from './takeover.ts';
import { autoUpdate } from './update/auto-update.ts';

type EndReason = 'shutdown' | 'stopped';

export interface StartDeps extends Omit<AgentDeps, 'version' | 'now' | 'readClock' | 'random' | 'guard'> {
  /** Of the state. */
  folder: string;
  /** The server's keys from an operator's file, for an agent without pinned keys. */
  operator: Parameters<Store['pinKeys']>[0] | null;
}

/** The caller must have exclusive use of the folder. */
export async function startHere({ operator, folder, ...deps }: StartDeps): Promise<Agent> {
  if (operator && !(await deps.store.keys())) await deps.store.pinKeys(operator);
  const version = release?.version ?? root.version;
  const now = () => new Date();
  const leftOut = await readLeftOut(folder, deps.store, now, (why) => deps.log(messages.terminal.notWritten('What is left out', why)));
  const guard = watchLoop({ file: leftOut.file, isLeftOut: leftOut.has });
  return startAgent({ ...deps, guard, version, now, readClock: readSystemClock, random: Math.random });
}

export const alreadyRunning = (folder: string) =>
  new Error(`Another Porchlight agent already runs on ${folder}. Stop it first, or set AGENT_DATA_DIR to another folder.`);

export interface RunDeps extends Pick<TakeoverDeps, 'folder' | 'successor' | 'installed'> {
  os: Os;
  store: Store;
  server: string;
  /** The id of this boot: an agent of an earlier boot was shut down, it did not crash. */
  boot: string;
  start: (os: Os) => Promise<Agent>;
  /** Reverts what a killed agent left behind, or what this agent leaves when it ends. */
  restore?: (why: 'killed' | EndReason) => Promise<unknown>;
  args: string[];
  env: NodeJS.ProcessEnv;
  execPath: string;
  log: Log;
  tookOver?: ((pid: number) => void) | undefined;
  leave: () => void;
}

export interface RunningHere {
  started: Promise<Agent>;
  end(why: EndReason | Promise<EndReason>): Promise<void>;
  close(): Promise<void>;
}

/** The start sequence of every agent, installed or started by hand: record the run, take over the folder, yield after an update, update. */
export function runHere(deps: RunDeps): RunningHere {
  const { folder, os, store, server, successor, restore, log, leave } = deps;
  const ending = new AbortController();
  let run: Run | null = null;
  let starting: Promise<Agent> | null = null;

  const start = async (isFirst: boolean): Promise<Agent> => {
    // Only a first start restores the system: before a takeover the former agent has restored it.
    if (isFirst) await restore?.('killed');
    run = await noteRun(folder, deps.boot, (why) => log(messages.terminal.notWritten('That it runs', why)));
    return deps.start(isFirst && run.died ? withTemporaryNotice(os, messages.terminal.restarted, readSystemClock) : os);
  };
  const sequence = async (): Promise<Agent> => {
    const running = await takeOver({
      ...{ folder, successor, installed: deps.installed },
      start(isFirst) {
        starting = start(isFirst);
        return starting;
      },
    });
    if (!running) throw alreadyRunning(folder);
    if (successor)
      void stayUntilReplaced(folder, running, ending.signal)
        .then(() => running.agent().close())
        .then(leave);
    const { args, env, execPath, tookOver } = deps;
    if (release) autoUpdate({ release, store, server, life: running, args, env, execPath, log, took: tookOver, leave });
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

const NOTICE_MS = 60 * 60_000;

function withTemporaryNotice(os: Os, sentence: string, readClock: () => ClockReading): Os {
  const until = readClock().up + NOTICE_MS;
  return { ...os, limitations: () => [...os.limitations(), ...(readClock().up < until ? [sentence] : [])] };
}
