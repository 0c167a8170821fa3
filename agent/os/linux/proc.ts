import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';

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
/** Enough for each file that is read here. A process chooses its own command line: more of it is not read. */
const MAX_BYTES = 4096;
const buffer = Buffer.alloc(MAX_BYTES);

export function pids(): number[] {
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    const first = name.charCodeAt(0);
    if (first >= 0x30 && first <= 0x39) found.push(Number(name));
  }
  return found;
}

/** The number of the process or thread that was made last; numbers go up until they begin again. NaN where that is not said. */
export function newest(): number {
  return Number(read('/proc/loadavg')?.trim().split(' ').at(-1) || Number.NaN);
}

/** Null when there is no such process (any more). */
export function readStat(pid: number): ProcEntry | null {
  const stat = read(`/proc/${pid}/stat`);
  // The name stands in brackets and may have brackets and spaces in it: the last bracket ends it.
  const end = stat?.lastIndexOf(')') ?? -1;
  if (stat === null || end < 0) return null;
  const rest = stat.slice(end + 2).split(' ');
  const [state = '', ppid = ''] = rest;
  const comm = stat.slice(stat.indexOf('(') + 1, end);
  return { pid, ppid: Number(ppid), state, started: rest[19] ?? '', kernel: (Number(rest[6]) & kernelThread) !== 0, comm };
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
  return (read(`/proc/${pid}/cmdline`) ?? '').split('\0', 3).filter(Boolean);
}

/**
 * The processes that this one has started and that still run, whichever of its threads started them. Exact only while it is stopped.
 * Null where the kernel does not keep this list.
 */
export function childrenOf(pid: number): number[] | null {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map((thread) => readLong(`/proc/${pid}/task/${thread}/children`));
    return lists.join(' ').split(' ').filter(Boolean).map(Number);
  } catch (err) {
    // ESRCH: it has just ended, and has no children any more.
    return (err as NodeJS.ErrnoException).code === 'ESRCH' || !readStat(pid) ? [] : null;
  }
}

/** The beginning of a file; null when it is not there, or may not be read. Into one buffer, since this runs thousands of times. */
function read(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, MAX_BYTES, 0));
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/** A whole file of any length. */
function readLong(path: string): string {
  const file = openSync(path, 'r');
  try {
    let text = '';
    for (let length = -1; length !== 0; text += buffer.toString('latin1', 0, length)) length = readSync(file, buffer, 0, MAX_BYTES, null);
    return text;
  } finally {
    closeSync(file);
  }
}
