import { type ChildProcess, spawn } from 'node:child_process';
import type { FromFilter, ToFilter } from './protocol.ts';

/** In milliseconds. A process that does not answer for so long hangs, and names would wait for it. */
const pingEvery = 1000;
const hangsAfter = 4000;
const firstWait = 100;
const lastWait = 30_000;
/** One that ran so long is no part of a row of failures. */
const well = 60_000;

/** Answers are short-lived and what is kept is small: without these the engine takes twice the memory, because it may. Megabytes. */
const small = '--max-semi-space-size=1 --max-old-space-size=40';

export interface FilterChild {
  send(message: ToFilter): void;
  /** How often it ended in a row by itself. */
  failures(): number;
  pid(): number | undefined;
  close(): Promise<void>;
}

export interface FilterChildDeps {
  /** The program and arguments that start the process; read at each start, because an update renames the program. */
  command: () => string[];
  /** It runs, and knows nothing yet: also each time that it was started again. */
  started: () => void;
  heard: (message: FromFilter) => void;
  ended: () => void;
}

/** Runs the process of the site filter and starts it again when it ends or hangs, at once and then later each time. */
export function filterChild({ command, started, heard, ended }: FilterChildDeps): FilterChild {
  let child: ChildProcess | null = null;
  let [failures, since, answered] = [0, 0, 0];
  let closing = false;
  let again: NodeJS.Timeout | undefined;
  const send = (message: ToFilter) => {
    if (child?.connected) child.send(message, () => {});
  };
  const start = () => {
    const [program = '', ...args] = command();
    const mine = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Lists and policies have bytes in them.
      serialization: 'advanced',
      env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${small}`.trim() },
    });
    child = mine;
    since = answered = performance.now();
    mine.on('message', (message: FromFilter) => {
      answered = performance.now();
      heard(message);
    });
    const end = () => {
      if (child !== mine) return;
      child = null;
      failures = performance.now() - since > well ? 1 : failures + 1;
      if (closing) return;
      again = setTimeout(start, failures === 1 ? 0 : Math.min(lastWait, firstWait * 2 ** failures));
      ended();
    };
    mine.once('exit', end);
    mine.once('error', end);
    started();
  };
  const pinging = setInterval(() => {
    if (child && performance.now() - answered > hangsAfter) child.kill('SIGKILL');
    send({ kind: 'ping' });
  }, pingEvery);
  start();
  return {
    send,
    failures: () => failures,
    pid: () => child?.pid,
    async close() {
      closing = true;
      clearInterval(pinging);
      clearTimeout(again);
      const last = child;
      if (!last) return;
      const gone = new Promise((resolve) => last.once('exit', resolve));
      send({ kind: 'stop' });
      if (last.connected) last.disconnect();
      const killTimer = setTimeout(() => last.kill('SIGKILL'), 3000);
      await gone;
      clearTimeout(killTimer);
    },
  };
}
