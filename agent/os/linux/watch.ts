import { basename } from 'node:path';
import type { ProcessSeen } from '../port.ts';
import { commandOf, executableOf, type ProcEntry, pids, readStat } from './proc.ts';

/** A process becomes another program by exec. It mostly does so soon after its start, so a young one is read at every look, an older one less often. Milliseconds. */
const young = 5000;
const seldom = 2000;

interface Known {
  started: string;
  path: string;
  /** When it was first seen as this program, and when it was last read. */
  since: number;
  read: number;
}

/** Looks through /proc every `every` ms; of processes that it knows already the older ones are read again only every two seconds. */
export function watchProc(every: number, seen: (processes: ProcessSeen[]) => void): { close(): void } {
  const known = new Map<number, Known>();
  const look = () => {
    const now = performance.now();
    const running = new Set(pids());
    const fresh: ProcessSeen[] = [];
    for (const pid of running) {
      const before = known.get(pid);
      if (before && now - before.since > young && now - before.read < seldom) continue;
      const stat = readStat(pid);
      if (!stat || stat.state === 'Z') continue;
      const process = stat.kernel ? null : processOf(stat);
      const path = process?.path ?? '';
      const same = before?.started === stat.started && before.path === path;
      known.set(pid, { started: stat.started, path, since: same ? before.since : now, read: now });
      if (process && !same) fresh.push(process);
    }
    for (const pid of known.keys()) if (!running.has(pid)) known.delete(pid);
    if (fresh.length) seen(fresh);
  };
  const timer = setInterval(look, every);
  look();
  return { close: () => clearInterval(timer) };
}

/** A process by the name of the file it runs; where that may not be read by the name it was started with. */
export function processOf(stat: ProcEntry): ProcessSeen {
  const file = executableOf(stat.pid);
  const [first = stat.comm] = file ? [file] : commandOf(stat.pid);
  return { pid: stat.pid, started: stat.started, path: first, program: { os: 'linux', name: basename(first) } };
}
