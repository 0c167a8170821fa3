import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessSeen } from '../port.ts';
import { type ProcEntry, pids, readStat } from './proc.ts';

/** How long a process that was killed may take to be gone. */
const patience = 3000;

/** See `Os.endTree`. Everything is stopped before anything is killed, so that no child starts another one meanwhile. */
export async function endTree(target: Pick<ProcessSeen, 'pid' | 'started'>): Promise<boolean> {
  if (isProtected(target.pid)) return false;
  if (!isSame(target)) return true;
  const tree = new Map<number, ProcEntry>();
  for (let grown = true; grown; ) {
    grown = false;
    for (const entry of descendants(target.pid)) {
      if (tree.has(entry.pid) || isProtected(entry.pid)) continue;
      // The pid may have become another process since: that one is not ours to end.
      if (entry.pid === target.pid && entry.started !== target.started) continue;
      if (!signal(entry.pid, 'SIGSTOP')) {
        // What could not be stopped goes on; then what belongs to it must too.
        for (const { pid } of tree.values()) signal(pid, 'SIGCONT');
        return false;
      }
      tree.set(entry.pid, entry);
      grown = true;
    }
  }
  // Also when the target has ended meanwhile: what it started is stopped by now, and would stay so for ever.
  const all = [...tree.values()];
  const killed = all.map((entry) => signal(entry.pid, 'SIGKILL'));
  for (const end = Date.now() + patience; Date.now() < end; await sleep(5)) {
    if (all.every((entry) => !isSame(entry))) return killed.every(Boolean);
  }
  return false;
}

/** The process, and everything below it. */
function descendants(root: number): ProcEntry[] {
  const all = pids().flatMap((pid) => readStat(pid) ?? []);
  const inTree = new Set([root]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const { pid, ppid } of all) {
      if (inTree.has(ppid) && !inTree.has(pid)) {
        inTree.add(pid);
        grown = true;
      }
    }
  }
  return all.filter((entry) => inTree.has(entry.pid));
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
