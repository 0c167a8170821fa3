import { basename } from 'node:path';
import type { ProcessSeen } from '../port.ts';
import { commandOf, executableOf, newest, type ProcEntry, pids, readStat } from './proc.ts';
import type { processEvents } from './process-events.ts';

/**
 * A process becomes another program by exec. It mostly does so soon after its start, so a young one is read at every look, an older one less often,
 * and hardly ever where the kernel tells of it. Milliseconds.
 */
const young = 5000;
const READ_AGAIN_MS = 2000;
const READ_AGAIN_WITH_EVENTS_MS = 60_000;
/** How often all is looked at although the kernel tells of each program. Milliseconds. */
const toBeSure = 10_000;
/** What has ended before it could be read may have split something off, which no exec tells of: then that is looked for, so soon. Milliseconds. */
const SPLIT_OFF_MS = 50;
/** Among so many numbers it is looked one by one whether they are known: cheaper than reading what all runs. */
const MISSED_MAX = 64;

interface Known {
  started: string;
  path: string;
  /** When it was first seen as this program, and when it was last read. */
  since: number;
  read: number;
}

export interface Watching {
  /** Looks at all that runs, now. */
  look(): void;
  close(): void;
  /** True when the kernel tells of each program, and false when it does not: then it is looked for every `every` ms. */
  told: Promise<boolean>;
}

/**
 * Tells of each program that is new: the kernel says at once when one starts. Where it does not, /proc is looked through every `every` ms;
 * of processes that it knows already the older ones are read again only every two seconds. `events`: null to do without the kernel.
 */
export function watchProc(every: number, seen: (processes: ProcessSeen[]) => void, events: typeof processEvents | null): Watching {
  const known = new Map<number, Known>();
  let closed = false;
  const emit = (processes: ProcessSeen[]) => {
    if (processes.length && !closed) seen(processes);
  };
  /** What has ended before it could be read, since all was looked at. */
  const unread = new Set<number>();
  let missed: NodeJS.Timeout | undefined;
  /** The process, when it is new or another program than before; `ended` when it is no more. */
  const fresh = (pid: number, now: number): ProcessSeen | 'ended' | null => {
    const stat = readStat(pid);
    if (!stat || stat.state === 'Z') return 'ended';
    const process = stat.kernel ? null : processOf(stat);
    const path = process?.path ?? '';
    const before = known.get(pid);
    const same = before?.started === stat.started && before.path === path;
    known.set(pid, { started: stat.started, path, since: same ? before.since : now, read: now });
    return same ? null : process;
  };
  /** `all`: also what was read not long ago. */
  const look = (all = false) => {
    clearTimeout(missed);
    missed = undefined;
    unread.clear();
    const now = performance.now();
    const again = source ? READ_AGAIN_WITH_EVENTS_MS : READ_AGAIN_MS;
    const running = new Set(pids());
    const found: ProcessSeen[] = [];
    for (const pid of running) {
      const before = known.get(pid);
      if (!all && before && now - before.since > young && now - before.read < again) continue;
      const process = fresh(pid, now);
      if (process && process !== 'ended') found.push(process);
    }
    for (const pid of known.keys()) if (!running.has(pid)) known.delete(pid);
    emit(found);
  };
  const lookAt = (these: number[]) => {
    const now = performance.now();
    const found: ProcessSeen[] = [];
    for (const pid of these) {
      const process = fresh(pid, now);
      if (process === 'ended') unread.add(pid);
      else if (process) found.push(process);
    }
    if (unread.size && !closed) missed ??= setTimeout(lookForSplitOff, SPLIT_OFF_MS);
    emit(found);
  };
  const lookForSplitOff = () => {
    missed = undefined;
    if (isAllSeen(Math.min(...unread), newest())) unread.clear();
    else look();
  };
  /** What a process makes has a higher number than itself: is everything seen that was made from this one to that one? */
  const isAllSeen = (first: number, last: number): boolean => {
    if (!(first <= last && last - first < MISSED_MAX)) return false;
    for (let pid = first; pid <= last; pid++) if (!unread.has(pid) && !known.has(pid)) return false;
    return true;
  };

  let source: Awaited<ReturnType<typeof processEvents>> = null;
  let timer = setInterval(() => look(), every);
  const listen = async (): Promise<boolean> => {
    // Whichever of them became another program, nobody else tells of it.
    source = (await events?.(lookAt, () => look(true))) ?? null;
    if (closed) source?.close();
    if (closed || !source) return source !== null;
    clearInterval(timer);
    timer = setInterval(() => look(), Math.max(every, toBeSure));
    // What started before the kernel began to tell.
    look();
    return true;
  };
  look();
  return {
    told: listen(),
    look: () => look(),
    close() {
      closed = true;
      clearInterval(timer);
      clearTimeout(missed);
      source?.close();
    },
  };
}

/** A process by the name of the file it runs; where that may not be read by the name it was started with. */
export function processOf(stat: ProcEntry): ProcessSeen {
  const file = executableOf(stat.pid);
  const [first = stat.comm] = file ? [file] : commandOf(stat.pid);
  return { pid: stat.pid, started: stat.started, path: first, program: { os: 'linux', name: basename(first) } };
}
