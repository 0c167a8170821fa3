import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { UserFileSource } from '@porchlight/contract/agent-events.ts';
import type { GuardUserFiles } from './user-file-work.ts';

const BEAT_MS = 1000;
/** The second thread counts its own ticks, so that a sleep of the computer or a stopped process counts for nothing. */
const TICK_MS = 1000;
/** After five seconds at the files of a user the process is ended; after thirty at anything else, as systemd does. */
const MAX_TICKS = { named: 5, other: 30 };

/** A built agent is one file, so the thread's program is a text. It imports only what a killed loop cannot stop. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { closeSync, fsyncSync, openSync, renameSync, writeSync } = require('node:fs');
  const { shared, file, tickMs, maxTicks } = workerData;
  const state = new Int32Array(shared);
  const works = [];
  let [beats, ticks] = [-1, 0];
  parentPort.on('message', (work) => works.push(work));
  setInterval(() => {
    const now = Atomics.load(state, 0);
    ticks = now === beats ? ticks + 1 : 0;
    beats = now;
    const work = works[Atomics.load(state, 1) - 1];
    if (ticks < (work ? maxTicks.named : maxTicks.other)) return;
    try {
      if (work) {
        const opened = openSync(file + '.tmp', 'w', 0o600);
        writeSync(opened, JSON.stringify(work));
        fsyncSync(opened);
        closeSync(opened);
        renameSync(file + '.tmp', file);
      }
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  }, tickMs);
`;

/** Enough for the program; V8 would take more. */
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8, codeRangeSizeMb: 4, stackSizeMb: 1 };

export interface WatchedWork {
  source: UserFileSource;
  user: string;
}

export interface LoopWatchDeps {
  /** Receives the work at which the loop stopped, before the process is ended. */
  file: string;
  isLeftOut: (work: WatchedWork) => boolean;
}

/**
 * The event loop ends programs, so nothing may stop it. A second thread ends the process of a loop that has stopped; the
 * supervisor or the system starts it again, and the work at which it stopped is left out. A debugger stops a loop as well, so nothing is watched under one.
 */
export function watchLoop({ file, isLeftOut }: LoopWatchDeps): GuardUserFiles {
  const shared = new SharedArrayBuffer(8);
  const [beats, work] = [new Int32Array(shared, 0, 1), new Int32Array(shared, 4, 1)];
  const workerData = { shared, file, tickMs: TICK_MS, maxTicks: MAX_TICKS };
  const options = { eval: true, workerData, resourceLimits, execArgv: [], env: {}, name: 'loop watch' };
  const thread = inspectorUrl() === undefined ? new Worker(program, options) : null;
  // Without a second thread the agent still protects.
  thread?.on('error', () => clearInterval(beating));
  thread?.unref();
  const beating = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const numbers = new Map<string, number>();
  const numberOf = (one: WatchedWork): number => {
    const key = `${one.source} ${one.user}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size + 1);
    thread?.postMessage(one);
    return numbers.size;
  };
  return (source, user) => {
    const number = numberOf({ source, user });
    return (run) => {
      if (isLeftOut({ source, user })) return null;
      Atomics.store(work, 0, number);
      try {
        return run();
      } finally {
        Atomics.store(work, 0, 0);
      }
    };
  };
}
