export interface ListedProcess {
  pid: number;
  ppid: number;
  /** Start time in 100 ns since 1601, as text; with the pid it identifies a process. */
  started: string;
  /** The file name; empty for the idle process. */
  name: string;
}

const headerSize = 104;

/**
 * Parses the output of NtQuerySystemInformation(SystemProcessInformation) on 64-bit Windows, up to the first damaged entry. Names are
 * pointers into `buffer`, which is at `address`.
 */
export function readProcessTable(buffer: Buffer, address: bigint): ListedProcess[] {
  const processes: ListedProcess[] = [];
  for (let at = 0; at + headerSize <= buffer.length; ) {
    const length = buffer.readUInt16LE(at + 56);
    const nameStart = Number(buffer.readBigUInt64LE(at + 64) - address);
    const hasName = length > 0 && nameStart >= 0 && nameStart + length <= buffer.length;
    processes.push({
      pid: Number(buffer.readBigUInt64LE(at + 80)),
      ppid: Number(buffer.readBigUInt64LE(at + 88)),
      started: String(buffer.readBigInt64LE(at + 32)),
      name: hasName ? buffer.toString('utf16le', nameStart, nameStart + length) : '',
    });
    const entryLength = buffer.readUInt32LE(at);
    if (entryLength < headerSize) break;
    at += entryLength;
  }
  return processes;
}
