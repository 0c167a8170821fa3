import { basename } from 'node:path';
import { fileNameOf, isRunner, programRunBy } from '../origin.ts';
import type { ProcessSeen, RunProgram } from '../port.ts';
import { withOpenFile } from './origin/open-file.ts';
import { listPids, newestPid, type ProcEntry, pathFor, readArguments, readCommand, readExecutable, readStat } from './proc.ts';
import type { processEvents } from './process-events.ts';

/** Processes mostly call exec soon after their start, so young processes are read at every regular scan, older processes less often. */
const YOUNG_MS = 5000;
const READ_AGAIN_MS = 2000;
const READ_AGAIN_WITH_EVENTS_MS = 60_000;
/** Scan interval while the kernel reports events. */
const SCAN_WITH_EVENTS_MS = 10_000;
/** Delay of a scan after a process ended unread: it may have left a child that never calls exec. */
const SPLIT_OFF_MS = 50;
/** Checking up to this many pids is cheaper than a scan. */
const MISSED_MAX = 64;

/**
 * The known processes that a scan reads again. `unknown`: none, where the kernel reports each exec and only a child that never calls exec
 * is searched.
 */
type Scope = 'all' | 'due' | 'unknown';

const isReadAgain = (scope: Scope, ageMs: number, readMsAgo: number, readAgainMs: number) =>
  scope === 'all' || (scope === 'due' && (ageMs <= YOUNG_MS || readMsAgo >= readAgainMs));

interface KnownProcess {
  started: string;
  path: string;
  since: number;
  read: number;
}

export interface ProcessWatch {
  /** Finds what an ended program left behind. */
  scan(): void;
  close(): void;
  /** False when processes are polled. */
  kernelReports: Promise<boolean>;
}

/** Reports new programs by kernel events where available; otherwise polls /proc. `events`: null disables kernel events. */
export function watchProc(
  intervalMs: number,
  report: (processes: ProcessSeen[]) => void,
  events: typeof processEvents | null,
): ProcessWatch {
  const knownProcesses = new Map<number, KnownProcess>();
  let closed = false;
  const emit = (processes: ProcessSeen[]) => {
    if (processes.length && !closed) report(processes);
  };
  /** Pids of processes that ended unread since the last scan. */
  const unreadPids = new Set<number>();
  let splitOffTimer: NodeJS.Timeout | undefined;
  /** The process if it is new or has become another program; null if unchanged. */
  const readIfNew = (pid: number, now: number): ProcessSeen | 'ended' | null => {
    const stat = readStat(pid);
    if (!stat || stat.state === 'Z') return 'ended';
    const process = stat.kernel ? null : describeProcess(stat);
    // A shell may become another script.
    const path = `${process?.path ?? ''}\0${process?.runs?.path ?? ''}`;
    const knownProcess = knownProcesses.get(pid);
    const isUnchanged = knownProcess?.started === stat.started && knownProcess.path === path;
    knownProcesses.set(pid, { started: stat.started, path, since: isUnchanged ? knownProcess.since : now, read: now });
    return isUnchanged ? null : process;
  };
  const scan = (scope: Scope = 'due') => {
    clearTimeout(splitOffTimer);
    splitOffTimer = undefined;
    unreadPids.clear();
    const now = performance.now();
    const readAgainMs = eventSource ? READ_AGAIN_WITH_EVENTS_MS : READ_AGAIN_MS;
    const runningPids = pidsNow();
    // Without a free descriptor the former list stays, and the same scan is made again.
    if (!runningPids) {
      if (!closed) splitOffTimer = setTimeout(scan, SPLIT_OFF_MS, scope);
      return;
    }
    const newProcesses: ProcessSeen[] = [];
    for (const pid of runningPids) {
      const knownProcess = knownProcesses.get(pid);
      if (knownProcess && !isReadAgain(scope, now - knownProcess.since, now - knownProcess.read, readAgainMs)) continue;
      const process = readIfNew(pid, now);
      if (process && process !== 'ended') newProcesses.push(process);
    }
    for (const pid of knownProcesses.keys()) if (!runningPids.has(pid)) knownProcesses.delete(pid);
    emit(newProcesses);
  };
  const readProcesses = (changedPids: number[]) => {
    const now = performance.now();
    const newProcesses: ProcessSeen[] = [];
    for (const pid of changedPids) {
      const process = readIfNew(pid, now);
      if (process === 'ended') unreadPids.add(pid);
      else if (process) newProcesses.push(process);
    }
    if (unreadPids.size && !closed) splitOffTimer ??= setTimeout(scanForSplitOff, SPLIT_OFF_MS);
    emit(newProcesses);
  };
  const scanForSplitOff = () => {
    splitOffTimer = undefined;
    if (areAllSeen(Math.min(...unreadPids), newestPid())) unreadPids.clear();
    else scan('unknown');
  };
  /** Children have higher pids than their parent: were all pids from `first` to `last` seen? */
  const areAllSeen = (first: number, last: number): boolean => {
    if (!(first <= last && last - first < MISSED_MAX)) return false;
    for (let pid = first; pid <= last; pid++) if (!unreadPids.has(pid) && !knownProcesses.has(pid)) return false;
    return true;
  };

  let eventSource: Awaited<ReturnType<typeof processEvents>> = null;
  let timer = setInterval(() => scan(), intervalMs);
  const listen = async (): Promise<boolean> => {
    // After lost events, any process may have become another program.
    eventSource = (await events?.(readProcesses, () => scan('all'))) ?? null;
    if (closed) eventSource?.close();
    if (closed || !eventSource) return eventSource !== null;
    clearInterval(timer);
    timer = setInterval(() => scan(), Math.max(intervalMs, SCAN_WITH_EVENTS_MS));
    scan();
    return true;
  };
  scan();
  return {
    kernelReports: listen(),
    scan: () => scan(eventSource ? 'unknown' : 'due'),
    close() {
      closed = true;
      clearInterval(timer);
      clearTimeout(splitOffTimer);
      eventSource?.close();
    },
  };
}

function pidsNow(): Set<number> | null {
  try {
    return new Set(listPids());
  } catch {
    return null;
  }
}

/** Names a process after its executable, or else its command line. A file in memory alone has the name that its maker gave it: memfd_create(2). */
export function describeProcess(stat: ProcEntry): ProcessSeen {
  const file = readExecutable(stat.pid);
  const [programPath = stat.comm] = file ? [file] : readCommand(stat.pid);
  const name = basename(programPath.replace(/^\/memfd:/, '/'));
  const runs = runIn(stat, programPath);
  return { pid: stat.pid, started: stat.started, path: programPath, program: { os: 'linux', name }, ...(runs ? { runs } : {}) };
}

/** A script or a program of Linux has the name of its file, whatever link it was started by, as other programs do. */
function runIn({ pid, comm }: ProcEntry, path: string): RunProgram | null {
  if (!isRunner(path)) return null;
  const run = programRunBy(path, readArguments(pid).filter(Boolean), comm);
  if (!run) return null;
  const file = (run.isWindows ? null : withOpenFile(pathFor(pid, run.path), 'follow', (opened) => opened.path)) ?? run.path;
  return { path: file, program: { os: run.isWindows ? 'windows' : 'linux', name: fileNameOf(file) }, skipped: run.skipped };
}
