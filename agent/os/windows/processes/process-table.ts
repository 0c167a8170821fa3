/** A process as the system lists it. */
export interface Listed {
  pid: number;
  ppid: number;
  /** 100 ns since 1601, as text: it only tells two processes apart. */
  started: string;
  /** The name of the file, without its path; empty for the idle process. */
  name: string;
}

const head = 104;

/**
 * Reads what NtQuerySystemInformation(SystemProcessInformation) wrote, on 64 bits. Names are addresses within the same buffer, which lies
 * at `address`. A damaged list ends where it makes no sense.
 */
export function readProcessTable(buffer: Buffer, address: bigint): Listed[] {
  const found: Listed[] = [];
  for (let at = 0; at + head <= buffer.length; ) {
    const length = buffer.readUInt16LE(at + 56);
    const from = Number(buffer.readBigUInt64LE(at + 64) - address);
    const named = length > 0 && from >= 0 && from + length <= buffer.length;
    found.push({
      pid: Number(buffer.readBigUInt64LE(at + 80)),
      ppid: Number(buffer.readBigUInt64LE(at + 88)),
      started: String(buffer.readBigInt64LE(at + 32)),
      name: named ? buffer.toString('utf16le', from, from + length) : '',
    });
    const next = buffer.readUInt32LE(at);
    if (next < head) break;
    at += next;
  }
  return found;
}
