import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from '../../../lib/process-identity.ts';
import type { EndTreeCallbacks, ProcessSeen } from '../../port.ts';
import type { ListedProcess } from './process-table.ts';
import type { OpenedProcess, Processes } from './processes.ts';
import { isSystemProcess } from './system-processes.ts';

/** How long an ended process may take to disappear. */
const TIMEOUT_MS = 3000;
type ProcessKey = Pick<ProcessSeen, 'pid' | 'started'>;

/** `suspended` gets the suspended processes; `terminated`: the processes were ended but may still be listed. */
export interface TreeCallbacks extends Pick<EndTreeCallbacks, 'remains'> {
  suspended(tree: ListedProcess[]): void;
  terminated(): void;
}

/** See `Os.endTree`. Suspends all processes before it ends the first, so that they start no others. Skips processes it may not open. */
export async function endTree(processes: Processes, target: ProcessKey, ownPid = process.pid, callbacks?: TreeCallbacks): Promise<boolean> {
  let processList = processes.list();
  if (createProtectionCheck(processList, processes, ownPid)(target.pid)) return false;
  const tree = new Map<string, { entry: ListedProcess; opened: OpenedProcess }>();
  const unopenedEntries = new Map<string, ListedProcess>();
  for (let hasGrown = true; hasGrown; processList = processes.list()) {
    hasGrown = false;
    const isProtected = createProtectionCheck(processList, processes, ownPid);
    for (const entry of treeOf(processList, target)) {
      if (tree.has(processIdentity(entry)) || unopenedEntries.has(processIdentity(entry)) || isProtected(entry.pid)) continue;
      const openedProcess = processes.open(entry.pid);
      if (openedProcess) {
        openedProcess.suspend();
        tree.set(processIdentity(entry), { entry, opened: openedProcess });
      } else if (isRunning(processes, entry)) unopenedEntries.set(processIdentity(entry), entry);
      else continue;
      hasGrown = true;
    }
  }
  callbacks?.suspended([...tree.values()].map(({ entry }) => entry));
  for (const [key, { entry, opened }] of tree) {
    if (!opened.terminate()) {
      opened.resume();
      unopenedEntries.set(key, entry);
    }
    opened.close();
  }
  callbacks?.terminated();
  const isListed = (currentList: ListedProcess[], identity: string) => currentList.some((entry) => processIdentity(entry) === identity);
  const endedKeys = [...tree.keys()].filter((key) => !unopenedEntries.has(key));
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await sleep(5)) {
    const currentList = processes.list();
    if (!endedKeys.some((key) => isListed(currentList, key))) break;
  }
  const currentList = processes.list();
  const remainingEntries = currentList.filter((entry) => unopenedEntries.has(processIdentity(entry)) || tree.has(processIdentity(entry)));
  if (remainingEntries.length) callbacks?.remains(remainingEntries.map(({ pid, name }) => processes.pathOf(pid) ?? name));
  return remainingEntries.length === 0;
}

export function isRunning(processes: Pick<Processes, 'list'>, { pid, started }: ProcessKey): boolean {
  return processes.list().some((entry) => entry.pid === pid && entry.started === started);
}

/** A process and its descendants. Windows reuses pids of ended parents, so a process older than its parent is not its child. */
export function treeOf(processList: ListedProcess[], target: ProcessKey): ListedProcess[] {
  const root = processList.find(({ pid, started }) => pid === target.pid && started === target.started);
  const tree = root ? [root] : [];
  for (const parent of tree) {
    tree.push(
      ...processList.filter(
        (entry) => entry.ppid === parent.pid && !tree.includes(entry) && BigInt(entry.started) >= BigInt(parent.started),
      ),
    );
  }
  return tree;
}

/** Protects the system's processes, this process and its ancestors. */
export function createProtectionCheck(
  processList: ListedProcess[],
  processes: Pick<Processes, 'pathOf'>,
  ownPid: number,
): (pid: number) => boolean {
  const entriesByPid = new Map(processList.map((entry) => [entry.pid, entry]));
  const ancestorPids = new Set<number>();
  for (let ancestor = entriesByPid.get(ownPid); ancestor && !ancestorPids.has(ancestor.pid); ) {
    ancestorPids.add(ancestor.pid);
    const parent = entriesByPid.get(ancestor.ppid);
    ancestor = parent && BigInt(parent.started) <= BigInt(ancestor.started) ? parent : undefined;
  }
  return (pid) => {
    const entry = entriesByPid.get(pid);
    return pid <= 4 || ancestorPids.has(pid) || (entry !== undefined && isSystemProcess(entry.name, processes.pathOf(pid)));
  };
}
