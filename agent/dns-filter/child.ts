import { type ChildProcess, spawn } from 'node:child_process';
import type { FromFilter, ToFilter } from './protocol.ts';

/** A process without an answer for so long hangs, and would block DNS. */
const pingEvery = 1000;
const hangsAfter = 4000;
const firstWait = 100;
const lastWait = 30_000;
/** A run this long ends a row of failures. */
const well = 60_000;

/** Answers are short-lived and the cache is small: without these options the engine takes twice the memory. Megabytes. */
const small = '--max-semi-space-size=1 --max-old-space-size=40';

export interface FilterChild {
  send(message: ToFilter): void;
  /** How often in a row the process died. */
  failures(): number;
  pid(): number | undefined;
  close(): Promise<void>;
}

export interface FilterChildDeps {
  /** The command of the process; read at each start, because an update renames the program. */
  command: () => string[];
  /** The process runs and knows nothing yet; also after each restart. */
  started: () => void;
  heard: (message: FromFilter) => void;
  ended: () => void;
}

/** Runs the DNS filter's process and restarts it when it dies or hangs, at once and then at growing intervals. */
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
      // Lists and policies contain bytes.
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
