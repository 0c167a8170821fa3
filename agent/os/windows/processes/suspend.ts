import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from '../../../lib/process-identity.ts';
import type { SuspendedProcess } from '../../port.ts';
import { createProtectionCheck, isRunning, treeOf } from './end-tree.ts';
import type { ListedProcess } from './process-table.ts';
import type { OpenedProcess, Processes } from './processes.ts';

const TIMEOUT_MS = 3000;

/**
 * See `Os.suspend`. Handles stay open until a process goes on or ends: while one is open, its pid is given to no other process, so the
 * process is found again although Wine changes the start time of a process that was suspended while it was being loaded. A suspension
 * lasts without a handle, so that an agent that ends leaves it, and the next agent finds it by its start time.
 */
export function suspensions(processes: Processes, ownPid = process.pid) {
  const handles = new Map<string, OpenedProcess>();
  const release = (one: SuspendedProcess, use: (opened: OpenedProcess) => void, isListed: boolean) => {
    const identity = processIdentity(one);
    const opened = handles.get(identity) ?? (isListed ? processes.open(one.pid) : null);
    handles.delete(identity);
    if (!opened) return;
    use(opened);
    opened.close();
  };
  const resume = (suspended: SuspendedProcess[]): void => {
    const running = new Set(processes.list().map(processIdentity));
    for (const one of suspended) release(one, (opened) => opened.resume(), running.has(processIdentity(one)));
  };

  return {
    async suspend(roots: SuspendedProcess[]): Promise<SuspendedProcess[] | null> {
      const suspended = new Map<number, ListedProcess>();
      for (let hasGrown = true; hasGrown; ) {
        hasGrown = false;
        const list = processes.list();
        const isProtected = createProtectionCheck(list, processes, ownPid);
        for (const root of roots) {
          for (const entry of treeOf(list, root)) {
            if (suspended.has(entry.pid)) continue;
            const opened = isProtected(entry.pid) ? null : processes.open(entry.pid);
            if (opened) {
              opened.suspend();
              handles.set(processIdentity(entry), opened);
              suspended.set(entry.pid, entry);
              hasGrown = true;
            } else if (processIdentity(entry) === processIdentity(root) && isRunning(processes, entry)) {
              resume([...suspended.values()]);
              return null;
            }
          }
        }
      }
      return [...suspended.values()].map(({ pid, started }) => ({ pid, started }));
    },
    resume,
    /** See `Os.endSuspended`. */
    async endSuspended(suspended: SuspendedProcess[]): Promise<boolean> {
      const list = processes.list();
      const isProtected = createProtectionCheck(list, processes, ownPid);
      const tree = suspended.flatMap((one) => treeOf(list, one)).filter(({ pid }) => !isProtected(pid));
      const others = suspended.filter((one) => handles.has(processIdentity(one)) && !tree.some(({ pid }) => pid === one.pid));
      for (const one of [...tree, ...others]) release(one, (opened) => opened.terminate(), true);
      const ended = new Set(tree.map(processIdentity));
      const isListed = () => processes.list().some((one) => ended.has(processIdentity(one)));
      for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline && isListed(); await sleep(5));
      return !isListed();
    },
  };
}
