import { execFile } from 'node:child_process';
import koffi from 'koffi';
import type { MacNative } from './native.ts';

/** `PROC_PIDTBSDINFO` and the size of struct proc_bsdinfo (bsd/sys/proc_info.h). */
const bsdInfo = 3;
const bsdInfoSize = 136;
const zombieStatus = 5;
/** NODEV: no terminal. */
const noDevice = 0xffffffff;
/** PROC_PIDPATHINFO_MAXSIZE, in bytes. */
const pathMax = 4096;
const TIMEOUT_MS = 10_000;

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
  const pathBuffer = Buffer.alloc(pathMax);
  const infoBuffer = Buffer.alloc(bsdInfoSize);
  return {
    pids() {
      // Leaves space for 64 processes that start meanwhile.
      const pidBuffer = Buffer.alloc(4 * (listAll(null, 0) + 64));
      const count = Math.max(0, listAll(pidBuffer, pidBuffer.length));
      return Array.from({ length: count }, (_item, n) => pidBuffer.readInt32LE(4 * n));
    },
    process(pid) {
      if (pidInfo(pid, bsdInfo, 0, infoBuffer, bsdInfoSize) !== bsdInfoSize) return null;
      const started = `${infoBuffer.readBigUInt64LE(120)}.${infoBuffer.readBigUInt64LE(128)}`;
      return {
        ...{ pid, ppid: infoBuffer.readUInt32LE(16), started, zombie: infoBuffer.readUInt32LE(4) === zombieStatus },
        ...{ uid: infoBuffer.readUInt32LE(28), group: infoBuffer.readUInt32LE(100), terminal: infoBuffer.readUInt32LE(108) !== noDevice },
      };
    },
    path(pid) {
      const length = pidPath(pid, pathBuffer, pathMax);
      return length > 0 ? pathBuffer.toString('utf8', 0, length) : null;
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
        // A program that reads no input may already have ended.
        stdin?.on('error', () => {}).end(input);
      }),
  };
}
