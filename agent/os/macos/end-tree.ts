import { setTimeout as sleep } from 'node:timers/promises';
import type { EndTreeCallbacks, ProcessSeen } from '../port.ts';
import type { MacNative, MacProcess } from './native.ts';

/** How long a killed process may take to disappear. */
const TIMEOUT_MS = 3000;

/** See `Os.endTree`. Suspends all processes before it kills the first, so that they start no others. */
export async function endTree(
  native: MacNative,
  target: Pick<ProcessSeen, 'pid' | 'started' | 'path'>,
  callbacks?: EndTreeCallbacks,
): Promise<boolean> {
  if (isProtected(native, target)) return false;
  if (!isSameProcess(native, target)) return true;
  const tree = new Map<number, MacProcess>();
  const unstoppableEntries = new Map<number, MacProcess>();
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const entry of descendants(native, target)) {
      // System tools that the program started are ended too, so the path is not checked.
      if (tree.has(entry.pid) || unstoppableEntries.has(entry.pid) || isProtected(native, { pid: entry.pid, path: '' })) continue;
      (native.signal(entry.pid, 'SIGSTOP') ? tree : unstoppableEntries).set(entry.pid, entry);
      hasGrown = true;
    }
  }
  callbacks?.suspended();
  const treeEntries = [...tree.values()];
  for (const entry of treeEntries) {
    if (native.signal(entry.pid, 'SIGKILL')) continue;
    native.signal(entry.pid, 'SIGCONT');
    unstoppableEntries.set(entry.pid, entry);
  }
  const killedEntries = treeEntries.filter(({ pid }) => !unstoppableEntries.has(pid));
  const isRunning = (entry: MacProcess) => isSameProcess(native, entry);
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline && killedEntries.some(isRunning); await sleep(5));
  const remainingEntries = [...unstoppableEntries.values(), ...killedEntries].filter(isRunning);
  if (remainingEntries.length) callbacks?.remains(remainingEntries.map(({ pid }) => native.path(pid) ?? String(pid)));
  return remainingEntries.length === 0;
}

export function descendants(native: MacNative, root: { pid: number; started: string }): MacProcess[] {
  const processes = native.pids().flatMap((pid) => native.process(pid) ?? []);
  const inTree = new Set([root.pid]);
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const { pid, ppid } of processes) {
      if (inTree.has(ppid) && !inTree.has(pid)) {
        inTree.add(pid);
        hasGrown = true;
      }
    }
  }
  return processes.filter(({ pid, started }) => inTree.has(pid) && (pid !== root.pid || started === root.started));
}

/** Folders of macOS. Not even root can write there; other software is installed elsewhere. */
const SYSTEM_PATH = /^\/(System|sbin|bin|usr\/(?!local\/))/;

/** Process 1, system programs, this process and its ancestors are never ended. */
export function isProtected(native: MacNative, { pid, path }: Pick<ProcessSeen, 'pid' | 'path'>): boolean {
  if (pid <= 1 || SYSTEM_PATH.test(path)) return true;
  for (let ancestorPid: number | undefined = process.pid; ancestorPid && ancestorPid > 0; ancestorPid = native.process(ancestorPid)?.ppid) {
    if (ancestorPid === pid) return true;
  }
  return false;
}

export function isSameProcess(native: MacNative, { pid, started }: { pid: number; started: string }): boolean {
  const currentProcess = native.process(pid);
  return currentProcess !== null && currentProcess.started === started && !currentProcess.zombie;
}
