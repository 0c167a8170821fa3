import type { SuspendedProcess } from '../port.ts';
import { childrenOfAll, isProtected, isSameProcess, sendSignal, stopProcess, waitUntilEnded, waitUntilStopped } from './end-tree.ts';
import { isStopping, type ProcEntry, readStat } from './proc.ts';

/** See `Os.suspend`. Each is stopped before its children are listed, so that none is missed. */
export async function suspend(roots: SuspendedProcess[]): Promise<SuspendedProcess[] | null> {
  const stopped = new Map<number, ProcEntry>();
  let pending: SuspendedProcess[] = roots;
  while (pending.length) {
    const entries: ProcEntry[] = [];
    for (const one of pending) {
      const result = isProtected(one.pid) ? null : stopProcess(one);
      if (result && !result.refused) entries.push(result.entry);
      else if (roots.includes(one) && isSameProcess(one)) {
        resume([...stopped.values(), ...entries]);
        return null;
      }
    }
    for (const entry of entries) stopped.set(entry.pid, entry);
    await waitUntilStopped(entries);
    pending = childrenOfAll(entries).filter(({ pid }) => !stopped.has(pid) && !isProtected(pid));
  }
  return [...stopped.values()].map(({ pid, started }) => ({ pid, started }));
}

export const areSuspended = (processes: SuspendedProcess[]): boolean =>
  processes.every(({ pid, started }) => {
    const entry = readStat(pid);
    // D waits for the kernel, and stops afterwards. R may wait for the processor in order to stop, on a busy computer.
    return entry?.started !== started || ['T', 't', 'D', 'Z', 'X'].includes(entry.state) || isStopping(pid);
  });

export function resume(processes: SuspendedProcess[]): void {
  for (const process of processes) if (isSameProcess(process)) sendSignal(process.pid, 'SIGCONT');
}

/** See `Os.endSuspended`. Descendants that came since are found again. */
export async function endSuspended(processes: SuspendedProcess[]): Promise<boolean> {
  const running = processes.filter(isSameProcess);
  const all = (await suspend(running)) ?? running;
  for (const { pid } of all) sendSignal(pid, 'SIGKILL');
  return waitUntilEnded(all);
}
