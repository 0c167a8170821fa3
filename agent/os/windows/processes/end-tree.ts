import { setTimeout as sleep } from 'node:timers/promises';
import type { EndingHeard, ProcessSeen } from '../../port.ts';
import type { Listed } from './process-table.ts';
import type { Opened, Processes } from './processes.ts';
import { isSystems } from './systems-own.ts';

/** How long a process that was ended may take to be gone. Milliseconds. */
const TIMEOUT_MS = 3000;
type Which = Pick<ProcessSeen, 'pid' | 'started'>;

/** `suspended` with what stands still; `terminated` once all of that was ended and may not be gone yet. */
export interface Ending extends Pick<EndingHeard, 'remains'> {
  suspended(tree: Listed[]): void;
  terminated(): void;
}

/** See `Os.endTree`. Everything is stopped before anything is ended, so that no child starts another one meanwhile. What may not be opened is left. */
export async function endTree(processes: Processes, target: Which, self = process.pid, heard?: Ending): Promise<boolean> {
  let all = processes.list();
  if (mustLive(all, processes, self)(target.pid)) return false;
  const tree = new Map<string, { entry: Listed; opened: Opened }>();
  const left = new Map<string, Listed>();
  for (let grown = true; grown; all = processes.list()) {
    grown = false;
    const isKept = mustLive(all, processes, self);
    for (const entry of treeOf(all, target)) {
      if (tree.has(keyOf(entry)) || left.has(keyOf(entry)) || isKept(entry.pid)) continue;
      const opened = processes.open(entry.pid);
      if (opened) {
        opened.suspend();
        tree.set(keyOf(entry), { entry, opened });
      } else if (isRunning(processes, entry)) left.set(keyOf(entry), entry);
      else continue;
      grown = true;
    }
  }
  heard?.suspended([...tree.values()].map(({ entry }) => entry));
  for (const [key, { entry, opened }] of tree) {
    if (!opened.terminate()) {
      // It goes on, and does not stand still for ever.
      opened.resume();
      left.set(key, entry);
    }
    opened.close();
  }
  heard?.terminated();
  const runs = (now: Listed[], key: string) => now.some((entry) => keyOf(entry) === key);
  const dying = [...tree.keys()].filter((key) => !left.has(key));
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(5)) {
    const now = processes.list();
    if (!dying.some((key) => runs(now, key))) break;
  }
  const now = processes.list();
  const remains = now.filter((entry) => left.has(keyOf(entry)) || tree.has(keyOf(entry)));
  if (remains.length) heard?.remains(remains.map(({ pid, name }) => processes.pathOf(pid) ?? name));
  return remains.length === 0;
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

/** Which of these are the system's own, ourselves and everything that started us. */
function mustLive(all: Listed[], processes: Pick<Processes, 'pathOf'>, self: number): (pid: number) => boolean {
  const of = new Map(all.map((entry) => [entry.pid, entry]));
  const above = new Set<number>();
  for (let at = of.get(self); at && !above.has(at.pid); ) {
    above.add(at.pid);
    const parent = of.get(at.ppid);
    at = parent && BigInt(parent.started) <= BigInt(at.started) ? parent : undefined;
  }
  return (pid) => {
    const entry = of.get(pid);
    return pid <= 4 || above.has(pid) || (entry !== undefined && isSystems(entry.name, processes.pathOf(pid)));
  };
}

const keyOf = ({ pid, started }: Which) => `${pid}:${started}`;
