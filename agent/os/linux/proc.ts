import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { constants } from 'node:os';

/** Fields of /proc/PID/stat: proc(5). */
export interface ProcEntry {
  pid: number;
  ppid: number;
  /** The id of its process group: a pipeline of a shell. */
  group: number;
  /** One letter; Z is a zombie. */
  state: string;
  /** Start time in clock ticks since boot. */
  started: string;
  kernel: boolean;
  comm: string;
}

const kernelThread = 0x00200000;
/** Limits reading, since a process controls the length of its command line. */
const MAX_BYTES = 4096;
const buffer = Buffer.alloc(MAX_BYTES);

export function listPids(): number[] {
  const processIds: number[] = [];
  for (const name of readdirSync('/proc')) {
    const firstCharCode = name.charCodeAt(0);
    if (firstCharCode >= 0x30 && firstCharCode <= 0x39) processIds.push(Number(name));
  }
  return processIds;
}

/** The pid of the newest process or thread; NaN when unknown. */
export function newestPid(): number {
  return Number(readShort('/proc/loadavg')?.trim().split(' ').at(-1) || Number.NaN);
}

export function readStat(pid: number): ProcEntry | null {
  const stat = readShort(`/proc/${pid}/stat`);
  // The name may contain parentheses and spaces: the last parenthesis closes it.
  const nameEnd = stat?.lastIndexOf(')') ?? -1;
  if (stat === null || nameEnd < 0) return null;
  const fields = stat.slice(nameEnd + 2).split(' ');
  const [state = '', ppid = '', group = ''] = fields;
  const comm = stat.slice(stat.indexOf('(') + 1, nameEnd);
  return {
    pid,
    ppid: Number(ppid),
    group: Number(group),
    state,
    started: fields[19] ?? '',
    kernel: (Number(fields[6]) & kernelThread) !== 0,
    comm,
  };
}

const stopSignal = 1n << BigInt(constants.signals.SIGSTOP - 1);

/** Whether a stop has begun, after which none of its threads runs a line: one of them has stopped, or the signal is still pending. */
export function isStopping(pid: number): boolean {
  const pending = /^ShdPnd:\t([\da-f]+)$/m.exec(readShort(`/proc/${pid}/status`) ?? '')?.[1];
  if (BigInt(`0x${pending ?? '0'}`) & stopSignal) return true;
  return threadsOf(pid).some((thread) => /\) T /.test(readShort(`/proc/${pid}/task/${thread}/stat`) ?? ''));
}

/** Empty when the process has ended. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The path of the executable, even if deleted; null where it may not be read. */
export function readExecutable(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
}

export function readCommand(pid: number): string[] {
  return (readShort(`/proc/${pid}/cmdline`) ?? '').split('\0', 3).filter(Boolean);
}

const MAX_LINE = 32_767;

/** The name of the program and its arguments, some of which may be empty; at most some 130,000 bytes. */
export function readArguments(pid: number): string[] {
  try {
    const bytes = Buffer.from(readLong(`/proc/${pid}/cmdline`, MAX_LINE * 4), 'latin1');
    return bytes.toString('utf8').split('\0');
  } catch {
    return [];
  }
}

/** The path as that process sees it. */
export function pathFor(pid: number, path: string): string {
  const own = /^\/dev\/fd\/|^\/proc\/(self|thread-self)\/fd\//;
  if (own.test(path)) return path.replace(own, `/proc/${pid}/fd/`);
  if (path === '/dev/stdin') return `/proc/${pid}/fd/0`;
  return path.startsWith('/') ? `/proc/${pid}/root${path}` : `/proc/${pid}/cwd/${path}`;
}

/** The command line as a shell would show it, at most `maxLength` characters. */
export const readCommandLine = (pid: number, maxLength = MAX_LINE): string =>
  readArguments(pid).filter(Boolean).join(' ').slice(0, maxLength);

/** Child processes of all threads; exact only while the process is stopped. Null where the kernel keeps no child lists. */
export function readChildren(pid: number): number[] | null {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map((thread) => readLong(`/proc/${pid}/task/${thread}/children`));
    return lists.join(' ').split(' ').filter(Boolean).map(Number);
  } catch (err) {
    // ESRCH: the process has just ended.
    return (err as NodeJS.ErrnoException).code === 'ESRCH' || !readStat(pid) ? [] : null;
  }
}

/** Uses one shared buffer, since it is called thousands of times. */
function readShort(path: string): string | null {
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

function readLong(path: string, maxBytes = Number.POSITIVE_INFINITY): string {
  const file = openSync(path, 'r');
  try {
    let text = '';
    for (let length = -1; length !== 0 && text.length < maxBytes; text += buffer.toString('latin1', 0, length))
      length = readSync(file, buffer, 0, MAX_BYTES, null);
    return text;
  } finally {
    closeSync(file);
  }
}
