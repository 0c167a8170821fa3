export interface ServiceListed {
  name: string;
  display: string;
  /** The pid is 0 when the service is stopped. */
  pid: number;
  running: boolean;
  /** The service's process runs no other service. */
  alone: boolean;
}

const rowSize = 56;
const ownProcess = 0x10;
const stoppedState = 1;

/**
 * Parses the output of EnumServicesStatusExW on 64-bit Windows: rows of two name pointers and nine numbers. Names are in `buffer`, which is
 * at `address`.
 */
export function readServiceTable(buffer: Buffer, address: bigint, count: number): ServiceListed[] {
  const readText = (at: number) => {
    const start = Number(buffer.readBigUInt64LE(at) - address);
    if (start < 0 || start >= buffer.length) return '';
    let end = start;
    while (end + 2 <= buffer.length && buffer.readUInt16LE(end) !== 0) end += 2;
    return buffer.toString('utf16le', start, end);
  };
  return Array.from({ length: Math.min(count, Math.floor(buffer.length / rowSize)) }, (_, n) => {
    const at = n * rowSize;
    return {
      name: readText(at),
      display: readText(at + 8),
      alone: (buffer.readUInt32LE(at + 16) & ownProcess) !== 0,
      running: buffer.readUInt32LE(at + 20) !== stoppedState,
      pid: buffer.readUInt32LE(at + 44),
    };
  });
}
