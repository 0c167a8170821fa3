import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { brand } from '@porchlight/contract/brand.ts';
import type { SleepCallbacks, SleepWatch } from '../port.ts';

export interface SleepTools {
  busctl: string | null;
  'systemd-inhibit': string | null;
  cat: string | null;
}

/** Restart delay of child processes. */
const RESTART_DELAY_MS = 60_000;
/** Names logind as the sender, since any program may send this signal. */
const matchRule = "type='signal',sender='org.freedesktop.login1',interface='org.freedesktop.login1.Manager',member='PrepareForSleep'";

/**
 * logind sends `PrepareForSleep` before and after sleep, and waits up to five seconds for delay inhibitors (systemd-inhibit(1)). Our
 * inhibitor is released after the callback and taken again after wake-up. A child process holds it until the child's input closes, so it
 * ends with the agent.
 */
export function watchSleep(
  tools: SleepTools,
  callbacks: SleepCallbacks,
  env: NodeJS.ProcessEnv = process.env,
  restartDelayMs = RESTART_DELAY_MS,
): SleepWatch {
  let closed = false;
  let listening = false;
  let lock: ChildProcess | null = null;
  let hasLock = false;
  let monitor: ChildProcess | null = null;
  const timers = new Set<NodeJS.Timeout>();
  const retryLater = (action: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!closed) action();
    }, restartDelayMs).unref();
    timers.add(timer);
  };

  const takeLock = () => {
    const { 'systemd-inhibit': inhibit, cat } = tools;
    if (closed || lock || !inhibit || !cat) return;
    // `cat` echoes a byte once the lock is taken.
    const args = ['--what=sleep', '--mode=delay', `--who=${brand.name}`, '--why=It says that this computer sleeps', cat];
    const child = spawn(inhibit, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
    lock = child;
    child.stdin.on('error', () => {});
    child.stdin.write('.');
    child.stdout.once('data', () => {
      if (lock === child) hasLock = true;
    });
    const onEnd = () => {
      if (lock !== child) return;
      lock = null;
      hasLock = false;
      retryLater(takeLock);
    };
    child.once('error', onEnd).once('exit', onEnd);
  };
  const releaseLock = () => {
    const lockChild = lock;
    lock = null;
    hasLock = false;
    lockChild?.stdin?.end();
  };
  const onSleepChange = (isAsleep: boolean) => {
    if (!isAsleep) {
      takeLock();
      callbacks.afterSleep();
      return;
    }
    void callbacks.beforeSleep().finally(releaseLock);
  };
  const listen = () => {
    if (closed || !tools.busctl) return;
    const child = spawn(tools.busctl, ['monitor', '--system', '--json=short', '--match', matchRule], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    monitor = child;
    // busctl writes to stderr once it listens.
    child.stderr.once('data', () => {
      listening = true;
    });
    createInterface(child.stdout).on('line', (line) => {
      listening = true;
      const isAsleep = parseAsleep(line);
      if (isAsleep !== null && !closed) onSleepChange(isAsleep);
    });
    const onEnd = () => {
      if (monitor !== child) return;
      monitor = null;
      listening = false;
      retryLater(listen);
    };
    child.once('error', onEnd).once('exit', onEnd);
  };
  listen();
  takeLock();
  return {
    works: () => listening && hasLock,
    close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      const child = monitor;
      monitor = null;
      listening = false;
      child?.kill();
      releaseLock();
    },
  };
}

function parseAsleep(line: string): boolean | null {
  try {
    const { member, payload } = JSON.parse(line) as { member?: unknown; payload?: { data?: unknown[] } };
    const isAsleep = payload?.data?.[0];
    return member === 'PrepareForSleep' && typeof isAsleep === 'boolean' ? isAsleep : null;
  } catch {
    return null;
  }
}
