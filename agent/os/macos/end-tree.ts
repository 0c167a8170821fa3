import { setTimeout as sleep } from 'node:timers/promises';
import type { EndingHeard, ProcessSeen } from '../port.ts';
import type { MacNative, MacProcess } from './native.ts';

/** How long a process that was killed may take to be gone. In milliseconds. */
const TIMEOUT_MS = 3000;

/** See `Os.endTree`. Everything is stopped before anything is killed, so that no child starts another one meanwhile. What may not be stopped is left. */
export async function endTree(
  native: MacNative,
  target: Pick<ProcessSeen, 'pid' | 'started' | 'path'>,
  heard?: EndingHeard,
): Promise<boolean> {
  if (isProtected(native, target)) return false;
  if (!isSame(native, target)) return true;
  const tree = new Map<number, MacProcess>();
  const left = new Map<number, MacProcess>();
  for (let grown = true; grown; ) {
    grown = false;
    for (const entry of descendants(native, target)) {
      // A tool of the system that it has started is part of what it does.
      if (tree.has(entry.pid) || left.has(entry.pid) || isProtected(native, { pid: entry.pid, path: '' })) continue;
      (native.signal(entry.pid, 'SIGSTOP') ? tree : left).set(entry.pid, entry);
      grown = true;
    }
  }
  heard?.suspended();
  const all = [...tree.values()];
  for (const entry of all) {
    if (native.signal(entry.pid, 'SIGKILL')) continue;
    native.signal(entry.pid, 'SIGCONT');
    left.set(entry.pid, entry);
  }
  const dying = all.filter(({ pid }) => !left.has(pid));
  const runs = (entry: MacProcess) => isSame(native, entry);
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end && dying.some(runs); await sleep(5));
  const remains = [...left.values(), ...dying].filter(runs);
  if (remains.length) heard?.remains(remains.map(({ pid }) => native.path(pid) ?? String(pid)));
  return remains.length === 0;
}

/** The process itself while it is still this one, and everything below it. */
function descendants(native: MacNative, root: { pid: number; started: string }): MacProcess[] {
  const all = native.pids().flatMap((pid) => native.process(pid) ?? []);
  const inTree = new Set([root.pid]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const { pid, ppid } of all) {
      if (inTree.has(ppid) && !inTree.has(pid)) {
        inTree.add(pid);
        grown = true;
      }
    }
  }
  return all.filter(({ pid, started }) => inTree.has(pid) && (pid !== root.pid || started === root.started));
}

/** Where macOS keeps its own programs; nobody else can write there, root neither. What is installed later lies elsewhere. */
const ofSystem = /^\/(System|sbin|bin|usr\/(?!local\/))/;

/** The first process, the system's own, ourselves and what started us: never ended, whatever they are called. */
export function isProtected(native: MacNative, { pid, path }: Pick<ProcessSeen, 'pid' | 'path'>): boolean {
  if (pid <= 1 || ofSystem.test(path)) return true;
  for (let at: number | undefined = process.pid; at && at > 0; at = native.process(at)?.ppid) {
    if (at === pid) return true;
  }
  return false;
}

/** Does this very process still run? A zombie has ended. */
export function isSame(native: MacNative, { pid, started }: { pid: number; started: string }): boolean {
  const now = native.process(pid);
  return now !== null && now.started === started && !now.zombie;
}
