import type { ProcessSeen } from '../port.ts';
import type { MacNative } from './native.ts';

/** Young processes are read at every scan, since exec mostly follows soon after the start. */
const YOUNG_MS = 5000;
const READ_AGAIN_MS = 2000;

interface KnownProcess {
  started: string;
  path: string;
  since: number;
  read: number;
}

export function watchPids(
  native: MacNative,
  intervalMs: number,
  readProgram: (path: string) => ProcessSeen['program'],
  report: (processes: ProcessSeen[]) => void,
): { close(): void } {
  const knownProcesses = new Map<number, KnownProcess>();
  const scan = () => {
    const now = performance.now();
    const runningPids = new Set(native.pids().filter((pid) => pid > 0));
    const newProcesses: ProcessSeen[] = [];
    for (const pid of runningPids) {
      const knownProcess = knownProcesses.get(pid);
      if (knownProcess && now - knownProcess.since > YOUNG_MS && now - knownProcess.read < READ_AGAIN_MS) continue;
      const process = native.process(pid);
      if (!process || process.zombie) continue;
      const path = native.path(pid) ?? '';
      const isUnchanged = knownProcess?.started === process.started && knownProcess.path === path;
      knownProcesses.set(pid, { started: process.started, path, since: isUnchanged ? knownProcess.since : now, read: now });
      if (path && !isUnchanged) newProcesses.push({ pid, started: process.started, path, program: readProgram(path) });
    }
    for (const pid of knownProcesses.keys()) if (!runningPids.has(pid)) knownProcesses.delete(pid);
    if (newProcesses.length) report(newProcesses);
  };
  const timer = setInterval(scan, intervalMs);
  scan();
  return { close: () => clearInterval(timer) };
}
