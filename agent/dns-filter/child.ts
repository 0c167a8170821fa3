import { type ChildProcess, spawn } from 'node:child_process';
import type { FromFilter, ToFilter } from './protocol.ts';

export interface FilterChildLimits {
  pingEvery: number;
  /** A process that answered before but not for this long hangs, and blocks DNS. */
  answer: number;
  /**
   * The time to load, until the first answer; it takes seconds while a computer starts, and killing the process would only start it over.
   */
  start: number;
  /** A process that answered and ran for longer than this ends a row of failures. */
  stable: number;
}

const defaultLimits: FilterChildLimits = { pingEvery: 1000, answer: 4000, start: 60_000, stable: 60_000 };
const firstWait = 100;
const lastWait = 30_000;

/** Memory limits in megabytes; V8's default limits would double the memory. */
const memoryOptions = '--max-semi-space-size=1 --max-old-space-size=40';

export interface FilterChild {
  send(message: ToFilter): void;
  failures(): number;
  pid(): number | undefined;
  close(): Promise<void>;
}

export interface FilterChildDeps {
  /** Called at each start, because an update renames the program. */
  command: () => string[];
  /** Called at each start, because a new process has no rules yet. */
  onStart: () => void;
  onMessage: (message: FromFilter) => void;
  onExit: () => void;
  limits?: FilterChildLimits;
}

/** Runs the DNS filter's process and restarts it when it dies or hangs, at once and then at growing intervals. */
export function filterChild({ command, onStart, onMessage, onExit, limits = defaultLimits }: FilterChildDeps): FilterChild {
  let child: ChildProcess | null = null;
  let [failures, since] = [0, 0];
  let answeredAt: number | null = null;
  let closing = false;
  let restartTimer: NodeJS.Timeout | undefined;
  const send = (message: ToFilter) => {
    if (child?.connected) child.send(message, () => {});
  };
  const start = () => {
    const [program = '', ...args] = command();
    const startedChild = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
      env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${memoryOptions}`.trim() },
    });
    child = startedChild;
    since = performance.now();
    answeredAt = null;
    startedChild.on('message', (message: FromFilter) => {
      answeredAt = performance.now();
      onMessage(message);
    });
    const end = () => {
      if (child !== startedChild) return;
      child = null;
      failures = answeredAt !== null && performance.now() - since > limits.stable ? 1 : failures + 1;
      if (closing) return;
      restartTimer = setTimeout(start, failures === 1 ? 0 : Math.min(lastWait, firstWait * 2 ** failures));
      onExit();
    };
    startedChild.once('exit', end);
    startedChild.once('error', end);
    onStart();
  };
  const pinging = setInterval(() => {
    const silentFor = performance.now() - (answeredAt ?? since);
    if (child && silentFor > (answeredAt === null ? limits.start : limits.answer)) child.kill('SIGKILL');
    send({ kind: 'ping' });
  }, limits.pingEvery);
  start();
  return {
    send,
    failures: () => failures,
    pid: () => child?.pid,
    async close() {
      closing = true;
      clearInterval(pinging);
      clearTimeout(restartTimer);
      const lastChild = child;
      if (!lastChild) return;
      const exited = new Promise((resolve) => lastChild.once('exit', resolve));
      send({ kind: 'stop' });
      if (lastChild.connected) lastChild.disconnect();
      const killTimer = setTimeout(() => lastChild.kill('SIGKILL'), 3000);
      await exited;
      clearTimeout(killTimer);
    },
  };
}
