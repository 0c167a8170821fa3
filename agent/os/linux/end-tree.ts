import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { EndingHeard, ProcessSeen } from '../port.ts';
import { childrenOf, executableOf, type ProcEntry, pids, readStat } from './proc.ts';

/** How long a process that was killed may take to be gone, and one that was stopped to stand still. Milliseconds. */
const TIMEOUT_MS = 3000;
const standstill = 50;

/**
 * See `Os.endTree`. Everything is stopped before anything is killed, so that no child starts another one meanwhile. What may not be stopped is left, and
 * what it has started is ended like the rest.
 */
export async function endTree(target: Pick<ProcessSeen, 'pid' | 'started'>, heard?: EndingHeard): Promise<boolean> {
  if (isProtected(target.pid)) return false;
  if (!isSame(target)) return true;
  const tree = new Map<number, ProcEntry>();
  const left = new Map<number, ProcEntry>();
  let waiting: Pick<ProcEntry, 'pid' | 'started'>[] = [target];
  while (waiting.length) {
    const [stopped, refused]: [ProcEntry[], ProcEntry[]] = [[], []];
    for (const each of waiting) {
      const answer = stop(each);
      if (answer) (answer.refused ? refused : stopped).push(answer.entry);
    }
    for (const entry of stopped) tree.set(entry.pid, entry);
    for (const entry of refused) left.set(entry.pid, entry);
    // Only what stands still has all its children already.
    await standStill(stopped);
    waiting = childrenOfAll([...stopped, ...refused]).filter(({ pid }) => !tree.has(pid) && !left.has(pid) && !isProtected(pid));
  }
  // Also when the target has ended meanwhile: what it started is stopped by now, and would stay so for ever.
  const all = [...tree.values()];
  heard?.suspended();
  for (const entry of all) {
    if (signal(entry.pid, 'SIGKILL')) continue;
    signal(entry.pid, 'SIGCONT');
    left.set(entry.pid, entry);
  }
  const dying = all.filter(({ pid }) => !left.has(pid));
  for (const end = performance.now() + TIMEOUT_MS; performance.now() < end && dying.some(isSame); await sleep(2));
  const remains = [...left.values(), ...dying].filter(isSame);
  if (remains.length) heard?.remains(remains.map(({ pid, comm }) => executableOf(pid) ?? comm));
  return remains.length === 0;
}

/** Null when it is gone. Its number may become another process's at any moment: if that one was stopped, it goes on. */
function stop({ pid, started }: Pick<ProcEntry, 'pid' | 'started'>): { entry: ProcEntry; refused: boolean } | null {
  const before = readStat(pid);
  if (before?.started !== started) return null;
  if (!signal(pid, 'SIGSTOP')) return { entry: before, refused: true };
  const entry = readStat(pid);
  if (!entry || entry.started === started) return entry && { entry, refused: false };
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
