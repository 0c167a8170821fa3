/** What a Mach-O file says of itself (mach-o/loader.h of macOS), as far as signatures need it. All numbers are bytes from the start of the slice. */
export interface MachO {
  /** `arm64`, `x64`, or the number of the processor. */
  arch: string;
  /** MH_EXECUTE: a program, not a library. */
  executable: boolean;
  /** Where the load commands end, and how many there are. */
  commands: { count: number; end: number };
  segments: Segment[];
  /** Where the first content after the load commands begins: there is room for new ones up to here. */
  firstContent: number;
  signature: { command: number; offset: number; size: number } | null;
}

export interface Segment {
  name: string;
  /** Where its load command stands. */
  command: number;
  offset: number;
  size: number;
}

const magic64 = 0xfeedfacf;
const headerSize = 32;
const segment64 = 0x19;
const codeSignature = 0x1d;
const arches: Record<number, string> = { 0x0100000c: 'arm64', 0x01000007: 'x64' };

/** Reads a 64-bit file of one architecture; null when it is none, or is cut off. `slicesOf` takes a universal one apart. */
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
  let at = headerSize;
  for (let n = 0; n < count; n++) {
    const size = file.readUInt32LE(at + 4);
    // A command without length would be read without end.
    if (size < 8 || at + size > end) throw new Error('a load command ends behind the last one');
    const kind = file.readUInt32LE(at);
    if (kind === segment64) {
      const segment = readSegment(file, at);
      segments.push(segment);
      for (const content of contentsOf(file, at, segment)) firstContent = Math.min(firstContent, content);
    }
    if (kind === codeSignature) signature = { command: at, offset: file.readUInt32LE(at + 8), size: file.readUInt32LE(at + 12) };
    at += size;
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

/** Where the sections of a segment begin; those without content, and __TEXT itself, which holds the header, do not count. */
function contentsOf(file: Buffer, command: number, { offset, size }: Segment): number[] {
  const sections = Array.from({ length: file.readUInt32LE(command + 64) }, (_none, n) => file.readUInt32LE(command + 72 + 80 * n + 48));
  return [...sections, size > 0 ? offset : 0].filter((begin) => begin > 0);
}

/** The parts of a universal file, one for each architecture; a file of one architecture is its only part. */
export function slicesOf(file: Buffer): Buffer[] {
  if (file.length < 8 || file.readUInt32BE(0) !== 0xcafebabe) return [file];
  // A Java class begins with the same four bytes; its version is far above any number of architectures.
  const count = file.readUInt32BE(4);
  if (count > 16 || file.length < 8 + 20 * count) return [];
  return Array.from({ length: count }, (_none, n) => {
    const at = 8 + 20 * n;
    const offset = file.readUInt32BE(at + 8);
    return file.subarray(offset, offset + file.readUInt32BE(at + 12));
  });
}
