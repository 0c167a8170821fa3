import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from '../../../lib/process-identity.ts';
import type { SuspendedProcess } from '../../port.ts';
import { createProtectionCheck, isRunning, treeOf } from './end-tree.ts';
import type { ListedProcess } from './process-table.ts';
import type { Processes } from './processes.ts';

const TIMEOUT_MS = 3000;

/** See `Os.suspend`. A suspension lasts without our handle, so that an agent that ends leaves it. */
export async function suspend(processes: Processes, roots: SuspendedProcess[], ownPid = process.pid): Promise<SuspendedProcess[] | null> {
  const suspended = new Map<string, ListedProcess>();
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    const list = processes.list();
    const isProtected = createProtectionCheck(list, processes, ownPid);
    for (const root of roots) {
      for (const entry of treeOf(list, root)) {
        if (suspended.has(processIdentity(entry))) continue;
        const opened = isProtected(entry.pid) ? null : processes.open(entry.pid);
        if (opened) {
          opened.suspend();
          opened.close();
          suspended.set(processIdentity(entry), entry);
          hasGrown = true;
        } else if (processIdentity(entry) === processIdentity(root) && isRunning(processes, entry)) {
          resume(processes, [...suspended.values()]);
          return null;
        }
      }
    }
  }
  return [...suspended.values()].map(({ pid, started }) => ({ pid, started }));
}

export function resume(processes: Processes, suspended: SuspendedProcess[]): void {
  const running = new Set(processes.list().map(processIdentity));
  for (const one of suspended) {
    const opened = running.has(processIdentity(one)) ? processes.open(one.pid) : null;
    opened?.resume();
    opened?.close();
  }
}

/** See `Os.endSuspended`. */
export async function endSuspended(processes: Processes, suspended: SuspendedProcess[]): Promise<boolean> {
  const list = processes.list();
  const isProtected = createProtectionCheck(list, processes, process.pid);
  const tree = suspended.flatMap((one) => treeOf(list, one)).filter(({ pid }) => !isProtected(pid));
  for (const { pid } of tree) {
    const opened = processes.open(pid);
    opened?.terminate();
    opened?.close();
  }
  const ended = new Set(tree.map(processIdentity));
  const isListed = () => processes.list().some((one) => ended.has(processIdentity(one)));
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline && isListed(); await sleep(5));
  return !isListed();
}
