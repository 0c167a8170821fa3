import type { ProcessSeen } from '../port.ts';
import type { MacNative } from './native.ts';

/** A process becomes another program by exec, mostly soon after its start: a young one is read at every look, an older one less often. Milliseconds. */
const young = 5000;
const READ_AGAIN_MS = 2000;

interface Known {
  started: string;
  path: string;
  /** When it was first seen as this program, and when it was last read. */
  since: number;
  read: number;
}

/** Lists all processes every `every` ms, and reads those that are new or may have become another program. `program`: what its file says of itself. */
export function watchPids(
  native: MacNative,
  every: number,
  program: (path: string) => ProcessSeen['program'],
  seen: (processes: ProcessSeen[]) => void,
): { close(): void } {
  const known = new Map<number, Known>();
  const look = () => {
    const now = performance.now();
    const running = new Set(native.pids().filter((pid) => pid > 0));
    const fresh: ProcessSeen[] = [];
    for (const pid of running) {
      const before = known.get(pid);
      if (before && now - before.since > young && now - before.read < READ_AGAIN_MS) continue;
      const process = native.process(pid);
      if (!process || process.zombie) continue;
      const path = native.path(pid) ?? '';
      const same = before?.started === process.started && before.path === path;
      known.set(pid, { started: process.started, path, since: same ? before.since : now, read: now });
      if (path && !same) fresh.push({ pid, started: process.started, path, program: program(path) });
    }
    for (const pid of known.keys()) if (!running.has(pid)) known.delete(pid);
    if (fresh.length) seen(fresh);
  };
  const timer = setInterval(look, every);
  look();
  return { close: () => clearInterval(timer) };
}
