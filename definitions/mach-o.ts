/** A macOS program (mach-o/loader.h). Offsets and sizes are bytes from the start of the slice. */
export interface MachO {
  arch: string;
  /** MH_EXECUTE: a program, not a library. */
  executable: boolean;
  commands: { count: number; end: number };
  segments: Segment[];
  /** Offset of the first content; load commands must end before it. */
  firstContent: number;
  signature: { command: number; offset: number; size: number } | null;
}

export interface Segment {
  name: string;
  command: number;
  offset: number;
  size: number;
}

const magic64 = 0xfeedfacf;
const headerSize = 32;
const segment64 = 0x19;
const codeSignature = 0x1d;
const arches: Record<number, string> = { 0x0100000c: 'arm64', 0x01000007: 'x64' };

/** Reads a 64-bit program of one architecture; null for any other file. `slicesOf` splits a universal file. */
export function readMachO(file: Buffer): MachO | null {
  try {
    return file.readUInt32LE(0) === magic64 ? read(file) : null;
  } catch {
    return null;
  }
}

function read(file: Buffer): MachO {
  const count = file.readUInt32LE(16);
  const end = headerSize + file.readUInt32LE(20);
  const segments: Segment[] = [];
  let firstContent = file.length;
  let signature: MachO['signature'] = null;
  let offset = headerSize;
  for (let n = 0; n < count; n++) {
    const size = file.readUInt32LE(offset + 4);
    // A command of length zero would loop forever.
    if (size < 8 || offset + size > end) throw new Error('a load command ends behind the last one');
    const kind = file.readUInt32LE(offset);
    if (kind === segment64) {
      const segment = readSegment(file, offset);
      segments.push(segment);
      for (const content of contentsOf(file, offset, segment)) firstContent = Math.min(firstContent, content);
    }
    if (kind === codeSignature)
      signature = { command: offset, offset: file.readUInt32LE(offset + 8), size: file.readUInt32LE(offset + 12) };
    offset += size;
  }
  const processor = file.readUInt32LE(4);
  return {
    arch: arches[processor] ?? String(processor),
    executable: file.readUInt32LE(12) === 2,
    commands: { count, end },
    segments,
    firstContent,
    signature,
  };
}

function readSegment(file: Buffer, command: number): Segment {
  const name = file.toString('latin1', command + 8, command + 24).replace(/\0.*$/s, '');
  return { name, command, offset: Number(file.readBigUInt64LE(command + 40)), size: Number(file.readBigUInt64LE(command + 48)) };
}

/** Offsets of section contents; skips empty sections and __TEXT itself, which contains the header. */
function contentsOf(file: Buffer, command: number, { offset, size }: Segment): number[] {
  const sections = Array.from({ length: file.readUInt32LE(command + 64) }, (_none, n) => file.readUInt32LE(command + 72 + 80 * n + 48));
  return [...sections, size > 0 ? offset : 0].filter((sectionStart) => sectionStart > 0);
}

/** Splits a universal file by architecture; another file is its only slice. */
export function slicesOf(file: Buffer): Buffer[] {
  if (file.length < 8 || file.readUInt32BE(0) !== 0xcafebabe) return [file];
  // A Java class file has the same magic number; its version is far above any number of architectures.
  const count = file.readUInt32BE(4);
  if (count > 16 || file.length < 8 + 20 * count) return [];
  return Array.from({ length: count }, (_none, n) => {
    const entryOffset = 8 + 20 * n;
    const offset = file.readUInt32BE(entryOffset + 8);
    return file.subarray(offset, offset + file.readUInt32BE(entryOffset + 12));
  });
}
