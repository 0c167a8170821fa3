import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { ProcessSeen } from '../port.ts';
import { childrenOf, type ProcEntry, pids, readStat } from './proc.ts';

/** How long a process that was killed may take to be gone, and one that was stopped to stand still. Milliseconds. */
const patience = 3000;
const standstill = 50;

/** See `Os.endTree`. Everything is stopped before anything is killed, so that no child starts another one meanwhile. */
export async function endTree(target: Pick<ProcessSeen, 'pid' | 'started'>): Promise<boolean> {
  if (isProtected(target.pid)) return false;
  if (!isSame(target)) return true;
  const tree = new Map<number, ProcEntry>();
  let waiting: Pick<ProcEntry, 'pid' | 'started'>[] = [target];
  while (waiting.length) {
    const stopped: ProcEntry[] = [];
    for (const each of waiting) {
      const answer = stop(each);
      if (answer === 'refused') {
        // What could not be stopped goes on; then what belongs to it must too.
        for (const { pid } of [...tree.values(), ...stopped]) signal(pid, 'SIGCONT');
        return false;
      }
      if (answer) stopped.push(answer);
    }
    for (const entry of stopped) tree.set(entry.pid, entry);
    // Only what stands still has all its children already.
    await standStill(stopped);
    waiting = childrenOfAll(stopped).filter(({ pid }) => !tree.has(pid) && !isProtected(pid));
  }
  // Also when the target has ended meanwhile: what it started is stopped by now, and would stay so for ever.
  const all = [...tree.values()];
  const killed = all.map((entry) => signal(entry.pid, 'SIGKILL'));
  for (const end = performance.now() + patience; performance.now() < end; await sleep(2)) {
    if (all.every((entry) => !isSame(entry))) return killed.every(Boolean);
  }
  return false;
}

/** Null when it is gone. Its number may become another process's at any moment: if that one was stopped, it goes on. */
function stop({ pid, started }: Pick<ProcEntry, 'pid' | 'started'>): ProcEntry | 'refused' | null {
  if (readStat(pid)?.started !== started) return null;
  if (!signal(pid, 'SIGSTOP')) return 'refused';
  const entry = readStat(pid);
  if (!entry || entry.started === started) return entry;
  signal(pid, 'SIGCONT');
  return null;
}

/** Resolves when none of them can start anything any more: T is stopped, D waits for the kernel. One that hangs is not waited for. */
async function standStill(entries: ProcEntry[]): Promise<void> {
  const moves = ({ pid, started }: ProcEntry) => {
    const now = readStat(pid);
    return now?.started === started && (now.state === 'R' || now.state === 'S');
  };
  // It takes some microseconds, and a timer a whole millisecond.
  for (const end = performance.now() + standstill; entries.some(moves) && performance.now() < end; await setImmediate());
}

/** What these have started. Where the kernel keeps no list of that, among all that runs. */
function childrenOfAll(parents: ProcEntry[]): ProcEntry[] {
  const lists = parents.map(({ pid }) => childrenOf(pid));
  if (lists.every((list) => list !== null)) return lists.flat().flatMap((pid) => readStat(pid) ?? []);
  const numbers = new Set(parents.map(({ pid }) => pid));
  return pids()
    .flatMap((pid) => readStat(pid) ?? [])
    .filter(({ ppid }) => numbers.has(ppid));
}

/** The first process, the kernel's own, ourselves and everything that started us: never ended, whatever they are called. */
export function isProtected(pid: number): boolean {
  if (pid <= 2 || readStat(pid)?.kernel) return true;
  for (let at: number | undefined = process.pid; at && at > 0; at = readStat(at)?.ppid) {
    if (at === pid) return true;
  }
  return false;
}

/** Does this very process still run? A zombie has ended. */
export function isSame({ pid, started }: { pid: number; started: string }): boolean {
  const now = readStat(pid);
  return now !== null && now.started === started && now.state !== 'Z' && now.state !== 'X';
}

/** True when it was delivered, or there was nobody left to deliver it to. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
