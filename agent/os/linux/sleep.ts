import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { brand } from '@porchlight/contract/brand.ts';
import type { SleepHeard, SleepWatch } from '../port.ts';

/** Both come with systemd. Null: this computer does not have it. */
export interface SleepTools {
  busctl: string | null;
  'systemd-inhibit': string | null;
  cat: string | null;
}

/** What ended is started again after so long. Milliseconds. */
const againAfter = 60_000;
/** Of logind alone: anyone may send a signal of this name, and the bus knows whose it is. */
const signal = "type='signal',sender='org.freedesktop.login1',interface='org.freedesktop.login1.Manager',member='PrepareForSleep'";

/**
 * Sleep, as logind announces it: `PrepareForSleep(true)` before, `(false)` after. It waits for whoever holds a delay inhibitor, five seconds at most
 * (systemd-inhibit(1)); that one is let go once the goodbye is said, and taken anew when the computer is awake. The lock is a child's that ends with
 * its input, so it is gone as soon as we are. `env`: for the children.
 */
export function watchSleep(tools: SleepTools, heard: SleepHeard, env: NodeJS.ProcessEnv = process.env, again = againAfter): SleepWatch {
  let closed = false;
  let listening = false;
  let lock: ChildProcess | null = null;
  let lockHeld = false;
  let monitor: ChildProcess | null = null;
  const timers = new Set<NodeJS.Timeout>();
  const later = (what: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!closed) what();
    }, again).unref();
    timers.add(timer);
  };

  const hold = () => {
    const { 'systemd-inhibit': inhibit, cat } = tools;
    if (closed || lock || !inhibit || !cat) return;
    // It says a letter as soon as the lock is held, and ends when we close its input.
    const args = ['--what=sleep', '--mode=delay', `--who=${brand.name}`, '--why=It says that this computer sleeps', cat];
    const child = spawn(inhibit, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
    lock = child;
    child.stdin.on('error', () => {});
    child.stdin.write('.');
    child.stdout.once('data', () => {
      if (lock === child) lockHeld = true;
    });
    const over = () => {
      if (lock !== child) return;
      lock = null;
      lockHeld = false;
      later(hold);
    };
    child.once('error', over).once('exit', over);
  };
  const letGo = () => {
    const held = lock;
    lock = null;
    lockHeld = false;
    held?.stdin?.end();
  };
  const changed = (asleep: boolean) => {
    if (!asleep) {
      hold();
      heard.back();
      return;
    }
    void heard.going().finally(letGo);
  };
  const listen = () => {
    if (closed || !tools.busctl) return;
    const child = spawn(tools.busctl, ['monitor', '--system', '--json=short', '--match', signal], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    monitor = child;
    // It says that it listens as soon as it does.
    child.stderr.once('data', () => {
      listening = true;
    });
    createInterface(child.stdout).on('line', (line) => {
      listening = true;
      const asleep = asleepIn(line);
      if (asleep !== null && !closed) changed(asleep);
    });
    const over = () => {
      if (monitor !== child) return;
      monitor = null;
      listening = false;
      later(listen);
    };
    child.once('error', over).once('exit', over);
  };
  listen();
  hold();
  return {
    works: () => listening && lockHeld,
    close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      const child = monitor;
      monitor = null;
      listening = false;
      child?.kill();
      letGo();
    },
  };
}

/** What a signal says; null for what is none of logind's. */
function asleepIn(line: string): boolean | null {
  try {
    const { member, payload } = JSON.parse(line) as { member?: unknown; payload?: { data?: unknown[] } };
    const said = payload?.data?.[0];
    return member === 'PrepareForSleep' && typeof said === 'boolean' ? said : null;
  } catch {
    return null;
  }
}
