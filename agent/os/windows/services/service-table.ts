/** A service as the system lists it. */
export interface ServiceListed {
  name: string;
  display: string;
  /** 0 when it does not run. */
  pid: number;
  running: boolean;
  /** Has its process for itself: ending that ends nothing else. */
  alone: boolean;
}

const row = 56;
const ownProcess = 0x10;
const stopped = 1;

/**
 * Reads what EnumServicesStatusExW wrote, on 64 bits: two addresses of names, then nine numbers. The names stand in the same buffer,
 * which lies at `address`.
 */
export function readServiceTable(buffer: Buffer, address: bigint, count: number): ServiceListed[] {
  const text = (at: number) => {
    const from = Number(buffer.readBigUInt64LE(at) - address);
    if (from < 0 || from >= buffer.length) return '';
    let end = from;
    while (end + 2 <= buffer.length && buffer.readUInt16LE(end) !== 0) end += 2;
    return buffer.toString('utf16le', from, end);
  };
  return Array.from({ length: Math.min(count, Math.floor(buffer.length / row)) }, (_, n) => {
    const at = n * row;
    return {
      name: text(at),
      display: text(at + 8),
      alone: (buffer.readUInt32LE(at + 16) & ownProcess) !== 0,
      running: buffer.readUInt32LE(at + 20) !== stopped,
      pid: buffer.readUInt32LE(at + 44),
    };
  });
}
