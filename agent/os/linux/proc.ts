import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What /proc says of a process: proc(5). */
export interface ProcEntry {
  pid: number;
  ppid: number;
  /** One letter; Z is a zombie: ended, waiting to be collected. */
  state: string;
  /** Clock ticks since the start of the system. */
  started: string;
  /** Kernel threads have the flag PF_KTHREAD. */
  kernel: boolean;
  comm: string;
}

const kernelThread = 0x00200000;

export function pids(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** Null when there is no such process (any more). */
export function readStat(pid: number): ProcEntry | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets and may have brackets and spaces in it: the last bracket ends it.
    const end = stat.lastIndexOf(')');
    const rest = stat.slice(end + 2).split(' ');
    const [state = '', ppid = ''] = rest;
    const comm = stat.slice(stat.indexOf('(') + 1, end);
    return { pid, ppid: Number(ppid), state, started: rest[19] ?? '', kernel: (Number(rest[6]) & kernelThread) !== 0, comm };
  } catch {
    return null;
  }
}

/** The file that the process runs; null where it may not be read. A file that was deleted meanwhile keeps its name. */
export function executableOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
}

/** The first words of the command line. */
export function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0', 3).filter(Boolean);
  } catch {
    return [];
  }
}
