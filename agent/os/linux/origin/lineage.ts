import { processIdentity } from '../../../lib/process-identity.ts';
import type { LaunchedFile } from '../../origin.ts';
import { readStat } from '../proc.ts';

const MAX_PROCESSES = 1000;
const MAX_ANCESTORS = 16;

export interface Lineage {
  add(pid: number, launched: LaunchedFile): void;
  /** What this process, or its nearest ancestor from the internet, was started from. */
  of(pid: number): LaunchedFile | null;
}

/**
 * The processes from the internet. An AppImage mounts itself and becomes a program on that mount, and an installer runs what it unpacked: those
 * files have no marks.
 */
export function lineage(): Lineage {
  /** By pid and start time, the oldest first. */
  const processes = new Map<string, LaunchedFile>();
  return {
    add(pid, launched) {
      const stat = readStat(pid);
      if (!stat) return;
      processes.set(processIdentity(stat), launched);
      for (const key of processes.keys()) {
        if (processes.size <= MAX_PROCESSES) break;
        processes.delete(key);
      }
    },
    of(pid) {
      if (!processes.size) return null;
      let stat = readStat(pid);
      for (let n = 0; stat && stat.pid > 1 && n < MAX_ANCESTORS; n++) {
        const launched = processes.get(processIdentity(stat));
        if (launched) return launched;
        stat = readStat(stat.ppid);
      }
      return null;
    },
  };
}
