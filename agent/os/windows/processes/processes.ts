import { type Handle, type Kernel, padding } from '../native/kernel.ts';
import { type Listed, readProcessTable } from './process-table.ts';

const processInformation = 5;
const tooSmall = 0xc0000004 | 0;
const queryLimited = 0x1000;
/** May be ended, stopped for a moment, and asked for its name. */
const forEnding = 0x0001 | 0x0800 | queryLimited;
const debugPrivilege = 20;

export interface Processes {
  /** All that run now. */
  list(): Listed[];
  /** The file that a process runs; null where that may not be asked. */
  pathOf(pid: number): string | null;
  /** Null when it may not be opened, or is not there. */
  open(pid: number): Opened | null;
}

export interface Opened {
  suspend(): void;
  resume(): void;
  /** False when it could not be ended. */
  terminate(): boolean;
  close(): void;
}

export function processes(kernel: Kernel): Processes {
  // As a service we may end programs of every user, once we have asked for it. Started by hand this fails, and we have only our own.
  kernel.adjustPrivilege(debugPrivilege, 1, 0, [0], ...padding);
  let buffer = Buffer.alloc(256 << 10);
  return {
    list() {
      for (;;) {
        const status = kernel.querySystem(processInformation, buffer, buffer.length, [0], ...padding);
        if (status === 0) return readProcessTable(buffer, kernel.addressOf(buffer));
        if (status !== tooSmall || buffer.length > 32 << 20) throw new Error(`The list of processes could not be read: ${status}`);
        buffer = Buffer.alloc(buffer.length * 2);
      }
    },
    pathOf(pid) {
      const handle: Handle = kernel.openProcess(queryLimited, 0, pid);
      if (!handle) return null;
      const name = Buffer.alloc(2048);
      const size = [name.length / 2];
      const known = kernel.imageName(handle, 0, name, size);
      kernel.closeHandle(handle);
      return known ? name.toString('utf16le', 0, (size[0] ?? 0) * 2) : null;
    },
    open(pid) {
      const handle: Handle = kernel.openProcess(forEnding, 0, pid);
      if (!handle) return null;
      return {
        suspend: () => void kernel.suspendProcess(handle, ...padding),
        resume: () => void kernel.resumeProcess(handle, ...padding),
        terminate: () => kernel.terminateProcess(handle, 1) !== 0,
        close: () => void kernel.closeHandle(handle),
      };
    },
  };
}
