import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { EndTreeCallbacks, ProcessSeen } from '../port.ts';
import { listPids, type ProcEntry, readChildren, readExecutable, readStat } from './proc.ts';

/** Time limits for a killed process to end and for a process to stop. */
const TIMEOUT_MS = 3000;
const STOP_TIMEOUT_MS = 50;

/**
 * See `Os.endTree`. Stops all processes before it kills the first, so that they cannot fork meanwhile. Children of a process that may not
 * be stopped are still ended.
 */
export async function endTree(target: Pick<ProcessSeen, 'pid' | 'started'>, callbacks?: EndTreeCallbacks): Promise<boolean> {
  if (isProtected(target.pid)) return false;
  if (!isSameProcess(target)) return true;
  const tree = new Map<number, ProcEntry>();
  const unstoppableEntries = new Map<number, ProcEntry>();
  let pendingProcesses: Pick<ProcEntry, 'pid' | 'started'>[] = [target];
  while (pendingProcesses.length) {
    const [stoppedEntries, refusedEntries]: [ProcEntry[], ProcEntry[]] = [[], []];
    for (const candidate of pendingProcesses) {
      const stopResult = stopProcess(candidate);
      if (stopResult) (stopResult.refused ? refusedEntries : stoppedEntries).push(stopResult.entry);
    }
    for (const entry of stoppedEntries) tree.set(entry.pid, entry);
    for (const entry of refusedEntries) unstoppableEntries.set(entry.pid, entry);
    // Only the child list of a stopped process is final.
    await waitUntilStopped(stoppedEntries);
    pendingProcesses = childrenOfAll([...stoppedEntries, ...refusedEntries]).filter(
      ({ pid }) => !tree.has(pid) && !unstoppableEntries.has(pid) && !isProtected(pid),
    );
  }
  // Runs even when the target has ended: its children must not stay stopped.
  const treeEntries = [...tree.values()];
  callbacks?.suspended();
  for (const entry of treeEntries) {
    if (sendSignal(entry.pid, 'SIGKILL')) continue;
    sendSignal(entry.pid, 'SIGCONT');
    unstoppableEntries.set(entry.pid, entry);
  }
  const killedEntries = treeEntries.filter(({ pid }) => !unstoppableEntries.has(pid));
  await waitUntilEnded(killedEntries);
  const remainingEntries = [...unstoppableEntries.values(), ...killedEntries].filter(isSameProcess);
  if (remainingEntries.length) callbacks?.remains(remainingEntries.map(({ pid, comm }) => readExecutable(pid) ?? comm));
  return remainingEntries.length === 0;
}

/** Whether all have ended within the time limit. */
export async function waitUntilEnded(processes: Pick<ProcEntry, 'pid' | 'started'>[]): Promise<boolean> {
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline && processes.some(isSameProcess); await sleep(2));
  return !processes.some(isSameProcess);
}

/** Null when the process has ended. Resumes another process that reused the pid. */
export function stopProcess({ pid, started }: Pick<ProcEntry, 'pid' | 'started'>): { entry: ProcEntry; refused: boolean } | null {
  const entryBefore = readStat(pid);
  if (entryBefore?.started !== started) return null;
  if (!sendSignal(pid, 'SIGSTOP')) return { entry: entryBefore, refused: true };
  const entry = readStat(pid);
  if (!entry || entry.started === started) return entry && { entry, refused: false };
  sendSignal(pid, 'SIGCONT');
  return null;
}

/** Waits until no process can fork: state T is stopped, D waits for the kernel. */
export async function waitUntilStopped(entries: ProcEntry[]): Promise<void> {
  const isActive = ({ pid, started }: ProcEntry) => {
    const currentEntry = readStat(pid);
    return currentEntry?.started === started && (currentEntry.state === 'R' || currentEntry.state === 'S');
  };
  // A timer would wait a whole millisecond.
  for (const deadline = performance.now() + STOP_TIMEOUT_MS; entries.some(isActive) && performance.now() < deadline; await setImmediate());
}

/** Searches all processes where the kernel keeps no child lists. */
export function childrenOfAll(parents: ProcEntry[]): ProcEntry[] {
  const childLists = parents.map(({ pid }) => readChildren(pid));
  if (childLists.every((list) => list !== null)) return childLists.flat().flatMap((pid) => readStat(pid) ?? []);
  const parentPids = new Set(parents.map(({ pid }) => pid));
  return listPids()
    .flatMap((pid) => readStat(pid) ?? [])
    .filter(({ ppid }) => parentPids.has(ppid));
}

/** Process 1, kernel threads, this process and its ancestors are never ended. */
export function isProtected(pid: number): boolean {
  if (pid <= 2 || readStat(pid)?.kernel) return true;
  for (let ancestorPid: number | undefined = process.pid; ancestorPid && ancestorPid > 0; ancestorPid = readStat(ancestorPid)?.ppid) {
    if (ancestorPid === pid) return true;
  }
  return false;
}

export function isSameProcess({ pid, started }: { pid: number; started: string }): boolean {
  const currentEntry = readStat(pid);
  return currentEntry !== null && currentEntry.started === started && currentEntry.state !== 'Z' && currentEntry.state !== 'X';
}

/** True on success, also when the process no longer exists. */
export function sendSignal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
