import { execFile } from 'node:child_process';
import koffi from 'koffi';
import type { MacNative } from './native.ts';

/** `PROC_PIDTBSDINFO` and the size of its struct proc_bsdinfo (bsd/sys/proc_info.h). */
const bsdInfo = 3;
const bsdInfoSize = 136;
const zombie = 5;
/** PROC_PIDPATHINFO_MAXSIZE */
const pathMax = 4096;
/** In milliseconds. */
const TIMEOUT_MS = 10_000;

/** macOS itself, by libproc. */
export function libproc(): MacNative {
  const lib = koffi.load('/usr/lib/libproc.dylib');
  const listAll = lib.func('int proc_listallpids(void *buffer, int size)') as (buffer: Buffer | null, size: number) => number;
  const pidPath = lib.func('int proc_pidpath(int pid, void *buffer, uint32_t size)') as (
    pid: number,
    buffer: Buffer,
    size: number,
  ) => number;
  const pidInfo = lib.func('int proc_pidinfo(int pid, int flavor, uint64_t arg, void *buffer, int size)') as (
    ...args: [pid: number, flavor: number, arg: number, buffer: Buffer, size: number]
  ) => number;
  const path = Buffer.alloc(pathMax);
  const info = Buffer.alloc(bsdInfoSize);
  return {
    pids() {
      // Some more than there are: others start meanwhile.
      const list = Buffer.alloc(4 * (listAll(null, 0) + 64));
      const count = Math.max(0, listAll(list, list.length));
      return Array.from({ length: count }, (_none, n) => list.readInt32LE(4 * n));
    },
    process(pid) {
      if (pidInfo(pid, bsdInfo, 0, info, bsdInfoSize) !== bsdInfoSize) return null;
      const started = `${info.readBigUInt64LE(120)}.${info.readBigUInt64LE(128)}`;
      return { pid, ppid: info.readUInt32LE(16), started, zombie: info.readUInt32LE(4) === zombie };
    },
    path(pid) {
      const length = pidPath(pid, path, pathMax);
      return length > 0 ? path.toString('utf8', 0, length) : null;
    },
    signal(pid, name) {
      try {
        process.kill(pid, name);
        return true;
      } catch (err) {
        return (err as NodeJS.ErrnoException).code === 'ESRCH';
      }
    },
    run: (program, args, input = '') =>
      new Promise((resolve) => {
        const { stdin } = execFile(program, args, { timeout: TIMEOUT_MS }, (err, stdout) =>
          resolve({ code: err ? Number(err.code) || 1 : 0, out: stdout }),
        );
        // One that reads nothing may be gone before it is written.
        stdin?.on('error', () => {}).end(input);
      }),
  };
}
