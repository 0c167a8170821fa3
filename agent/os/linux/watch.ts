import { basename } from 'node:path';
import type { ProcessSeen } from '../port.ts';
import { commandOf, executableOf, type ProcEntry, pids, readStat } from './proc.ts';

/** A process becomes another program by exec; it does so soon after its start, so a young one is looked at again. */
const young = 20;

interface Known {
  started: string;
  path: string;
  looks: number;
}

/** Looks through /proc every `every` ms; of processes that it knows already only the young ones are read again. */
export function watchProc(every: number, seen: (processes: ProcessSeen[]) => void): { close(): void } {
  const known = new Map<number, Known>();
  const look = () => {
    const now = new Set(pids());
    const fresh: ProcessSeen[] = [];
    for (const pid of now) {
      const before = known.get(pid);
      if (before && before.looks >= young) {
        before.looks++;
        // Now and then also an old one: its pid may belong to another process by now.
        if (before.looks % 40 !== 0) continue;
      }
      const stat = readStat(pid);
      if (!stat || stat.state === 'Z') continue;
      const process = stat.kernel ? null : processOf(stat);
      const path = process?.path ?? '';
      const same = before?.started === stat.started && before.path === path;
      known.set(pid, { started: stat.started, path, looks: same ? before.looks + 1 : 0 });
      if (process && !same) fresh.push(process);
    }
    for (const pid of known.keys()) if (!now.has(pid)) known.delete(pid);
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
