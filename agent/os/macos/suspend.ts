import { setTimeout as sleep } from 'node:timers/promises';
import type { SuspendedProcess } from '../port.ts';
import { descendants, isProtected, isSameProcess } from './end-tree.ts';
import type { MacNative, MacProcess } from './native.ts';

const TIMEOUT_MS = 3000;

/** See `Os.suspend`. The path is not checked, because programs of macOS run what a person pastes. */
export async function suspend(native: MacNative, roots: SuspendedProcess[]): Promise<SuspendedProcess[] | null> {
  const stopped = new Map<number, MacProcess>();
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const root of roots) {
      for (const entry of descendants(native, root)) {
        if (stopped.has(entry.pid)) continue;
        if (!isProtected(native, { pid: entry.pid, path: '' }) && native.signal(entry.pid, 'SIGSTOP')) {
          stopped.set(entry.pid, entry);
          hasGrown = true;
        } else if (entry.pid === root.pid) {
          resume(native, [...stopped.values()]);
          return null;
        }
      }
    }
  }
  return [...stopped.values()].map(({ pid, started }) => ({ pid, started }));
}

export function resume(native: MacNative, processes: SuspendedProcess[]): void {
  for (const one of processes) if (isSameProcess(native, one)) native.signal(one.pid, 'SIGCONT');
}

/** See `Os.endSuspended`. */
export async function endSuspended(native: MacNative, processes: SuspendedProcess[]): Promise<boolean> {
  const tree = processes.filter((one) => isSameProcess(native, one)).flatMap((one) => descendants(native, one));
  for (const { pid } of tree) if (!isProtected(native, { pid, path: '' })) native.signal(pid, 'SIGKILL');
  const isAnyRunning = () => tree.some((one) => isSameProcess(native, one));
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline && isAnyRunning(); await sleep(5));
  return !isAnyRunning();
}
