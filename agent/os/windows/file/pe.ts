import type { Bytes } from './bytes.ts';

/** Where the two things lie that tell whose program it is. Source: the public PE/COFF description of its maker. */
export interface PeParts {
  /** Of the resource section; null when there is none. */
  resources: { rva: number; size: number } | null;
  /** The table of signatures: an offset in the file, not an address. Null when it is not signed. */
  certificates: { offset: number; size: number } | null;
  /** From an address in memory to one in the file; null when it lies in no section. */
  offsetOf(rva: number): number | null;
}

const mostSections = 96;
const resourceDirectory = 2;
const certificateDirectory = 4;

/** Reads the headers of a Windows program. Null when it is none. */
export function readPe(file: Bytes): PeParts | null {
  const dos = file.read(0, 64);
  if (dos?.toString('latin1', 0, 2) !== 'MZ') return null;
  const start = dos.readUInt32LE(60);
  const coff = file.read(start, 24);
  if (coff?.toString('latin1', 0, 4) !== 'PE\0\0') return null;
  const optionalSize = coff.readUInt16LE(20);
  const optional = file.read(start + 24, optionalSize);
  if (!optional || optionalSize < 2) return null;
  const magic = optional.readUInt16LE(0);
  // 32 bits, or 64, where four addresses are twice as long.
  const directories = { 0x10b: 96, 0x20b: 112 }[magic];
  if (directories === undefined) return null;
  const directory = (index: number) => {
    const at = directories + index * 8;
    if (at + 8 > optionalSize || index >= optional.readUInt32LE(directories - 4)) return null;
    const [rva, size] = [optional.readUInt32LE(at), optional.readUInt32LE(at + 4)];
    return rva > 0 && size > 0 ? { rva, size } : null;
  };
  const count = Math.min(coff.readUInt16LE(6), mostSections);
  const table = file.read(start + 24 + optionalSize, count * 40);
  if (!table) return null;
  const sections = Array.from({ length: count }, (_, n) => ({
    rva: table.readUInt32LE(n * 40 + 12),
    size: table.readUInt32LE(n * 40 + 16),
    offset: table.readUInt32LE(n * 40 + 20),
  }));
  const signed = directory(certificateDirectory);
  return {
    resources: directory(resourceDirectory),
    certificates: signed && { offset: signed.rva, size: signed.size },
    offsetOf(rva) {
      const section = sections.find((s) => rva >= s.rva && rva < s.rva + s.size);
      return section ? section.offset + (rva - section.rva) : null;
    },
  };
}
