import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessSeen } from '../../port.ts';
import type { Listed } from './process-table.ts';
import type { Opened, Processes } from './processes.ts';
import { isSystems } from './systems-own.ts';

/** How long a process that was ended may take to be gone. Milliseconds. */
const patience = 3000;
type Which = Pick<ProcessSeen, 'pid' | 'started'>;

/** See `Os.endTree`. Everything is stopped before anything is ended, so that no child starts another one meanwhile. */
export async function endTree(processes: Processes, target: Which, self = process.pid): Promise<boolean> {
  if (mustLive(processes, target.pid, self)) return false;
  const tree = new Map<string, Opened>();
  const close = () => tree.forEach((opened) => opened.close());
  for (let grown = true; grown; ) {
    grown = false;
    for (const entry of treeOf(processes.list(), target)) {
      if (tree.has(keyOf(entry)) || mustLive(processes, entry.pid, self)) continue;
      const opened = processes.open(entry.pid);
      if (!opened) {
        if (!isRunning(processes, entry)) continue;
        // What may not be ended goes on; then what belongs to it must too.
        tree.forEach((other) => other.resume());
        close();
        return false;
      }
      opened.suspend();
      tree.set(keyOf(entry), opened);
      grown = true;
    }
  }
  const ended = [...tree.values()].map((opened) => opened.terminate());
  close();
  for (const end = Date.now() + patience; Date.now() < end; await sleep(5)) {
    if (!processes.list().some((entry) => tree.has(keyOf(entry)))) return true;
  }
  return ended.length === 0;
}

/** Does this very process still run? */
export function isRunning(processes: Pick<Processes, 'list'>, { pid, started }: Which): boolean {
  return processes.list().some((entry) => entry.pid === pid && entry.started === started);
}

/**
 * The process, and everything below it. Windows does not say when a parent has ended, and gives its number to another process: who is
 * older than its parent is not its child.
 */
export function treeOf(all: Listed[], target: Which): Listed[] {
  const root = all.find(({ pid, started }) => pid === target.pid && started === target.started);
  const tree = root ? [root] : [];
  for (const parent of tree) {
    tree.push(
      ...all.filter((entry) => entry.ppid === parent.pid && !tree.includes(entry) && BigInt(entry.started) >= BigInt(parent.started)),
    );
  }
  return tree;
}

/** The system's own, ourselves and everything that started us. */
function mustLive(processes: Processes, pid: number, self: number): boolean {
  const all = processes.list();
  const of = new Map(all.map((entry) => [entry.pid, entry]));
  const entry = of.get(pid);
  if (pid <= 4 || (entry && isSystems(entry.name, processes.pathOf(pid)))) return true;
  const above = new Set<number>();
  for (let at = of.get(self); at && !above.has(at.pid); ) {
    above.add(at.pid);
    const parent = of.get(at.ppid);
    at = parent && BigInt(parent.started) <= BigInt(at.started) ? parent : undefined;
  }
  return above.has(pid);
}

const keyOf = ({ pid, started }: Which) => `${pid}:${started}`;
