import { type Handle, type Kernel, padding } from '../native/kernel.ts';
import { type ListedProcess, readProcessTable } from './process-table.ts';

const processInformation = 5;
/** ProcessCommandLineInformation, from Windows 8.1 on; wine has none. */
const commandLineInformation = 60;
/** The size of UNICODE_STRING on 64-bit Windows. */
const stringHeader = 16;
const MAX_COMMAND_BYTES = 65_536;
const basicInformation = 0;
/** The process environment block in PROCESS_BASIC_INFORMATION, its parameters, and their command line, on 64-bit Windows. */
const [blockAt, parametersAt, commandLineAt] = [8, 0x20, 0x70];
const tooSmallStatus = 0xc0000004 | 0;
const queryRight = 0x1000;
/** PROCESS_VM_READ and the query right. */
const readingRights = 0x0010 | queryRight;
/** PROCESS_TERMINATE, PROCESS_SUSPEND_RESUME and the query right. */
const endingRights = 0x0001 | 0x0800 | queryRight;
const debugPrivilege = 20;

export interface Processes {
  list(): ListedProcess[];
  pathOf(pid: number): string | null;
  /** At most 32,767 characters. Null when it may not be read. */
  commandLineOf(pid: number): string | null;
  /** Null when the process is missing or may not be opened. */
  open(pid: number): OpenedProcess | null;
}

export interface OpenedProcess {
  suspend(): void;
  resume(): void;
  terminate(): boolean;
  close(): void;
}

export function processes(kernel: Kernel): Processes {
  // Lets the service end programs of every user; fails when started by hand.
  kernel.adjustPrivilege(debugPrivilege, 1, 0, [0], ...padding);
  let buffer = Buffer.alloc(256 << 10);
  return {
    list() {
      for (;;) {
        const status = kernel.querySystem(processInformation, buffer, buffer.length, [0], ...padding);
        if (status === 0) return readProcessTable(buffer, kernel.addressOf(buffer));
        if (status !== tooSmallStatus || buffer.length > 32 << 20) throw new Error(`The list of processes could not be read: ${status}`);
        buffer = Buffer.alloc(buffer.length * 2);
      }
    },
    pathOf(pid) {
      const handle: Handle = kernel.openProcess(queryRight, 0, pid);
      if (!handle) return null;
      const name = Buffer.alloc(2048);
      const size = [name.length / 2];
      const isKnown = kernel.imageName(handle, 0, name, size);
      kernel.closeHandle(handle);
      return isKnown ? name.toString('utf16le', 0, (size[0] ?? 0) * 2) : null;
    },
    commandLineOf(pid) {
      const handle: Handle = kernel.openProcess(readingRights, 0, pid);
      if (!handle) return null;
      const line = askForCommandLine(kernel, handle) ?? readCommandLine(kernel, handle);
      kernel.closeHandle(handle);
      return line;
    },
    open(pid) {
      const handle: Handle = kernel.openProcess(endingRights, 0, pid);
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

/** A UNICODE_STRING, and behind it the text. */
function askForCommandLine(kernel: Kernel, handle: Handle): string | null {
  const answer = Buffer.alloc(stringHeader + MAX_COMMAND_BYTES);
  const status = kernel.queryProcess(handle, commandLineInformation, answer, answer.length, [0], ...padding);
  return status === 0 ? answer.toString('utf16le', stringHeader, stringHeader + answer.readUInt16LE(0)) : null;
}

/** From the memory of the process, which may change it; so it is only asked where the system does not answer. */
function readCommandLine(kernel: Kernel, handle: Handle): string | null {
  const read = (address: bigint, size: number): Buffer | null => {
    const [bytes, count] = [Buffer.alloc(size), [0]];
    return kernel.readMemory(handle, address, bytes, size, count) && count[0] === size ? bytes : null;
  };
  const basic = Buffer.alloc(48);
  if (kernel.queryProcess(handle, basicInformation, basic, basic.length, [0], ...padding) !== 0) return null;
  const parameters = read(basic.readBigUInt64LE(blockAt) + BigInt(parametersAt), 8)?.readBigUInt64LE(0);
  const header = parameters === undefined ? null : read(parameters + BigInt(commandLineAt), stringHeader);
  const text = header && read(header.readBigUInt64LE(8), header.readUInt16LE(0));
  return text ? text.toString('utf16le') : null;
}
