import type { Bytes } from './bytes.ts';

/** Parts of a Windows program file: Microsoft's public PE/COFF specification. */
export interface PeLayout {
  resources: { rva: number; size: number } | null;
  certificates: { offset: number; size: number } | null;
  /** Null for an address outside all sections. */
  offsetOf(rva: number): number | null;
}

const MAX_SECTIONS = 96;
const resourceDirectory = 2;
const certificateDirectory = 4;

/** Null for files that are no Windows programs. */
export function readPe(file: Bytes): PeLayout | null {
  const dosHeader = file.read(0, 64);
  if (dosHeader?.toString('latin1', 0, 2) !== 'MZ') return null;
  const peStart = dosHeader.readUInt32LE(60);
  const coffHeader = file.read(peStart, 24);
  if (coffHeader?.toString('latin1', 0, 4) !== 'PE\0\0') return null;
  const optionalSize = coffHeader.readUInt16LE(20);
  const optionalHeader = file.read(peStart + 24, optionalSize);
  if (!optionalHeader || optionalSize < 2) return null;
  const magic = optionalHeader.readUInt16LE(0);
  // PE32+ has four fields of 8 instead of 4 bytes.
  const directoriesOffset = { 0x10b: 96, 0x20b: 112 }[magic];
  if (directoriesOffset === undefined) return null;
  const directory = (index: number) => {
    const at = directoriesOffset + index * 8;
    if (at + 8 > optionalSize || index >= optionalHeader.readUInt32LE(directoriesOffset - 4)) return null;
    const [rva, size] = [optionalHeader.readUInt32LE(at), optionalHeader.readUInt32LE(at + 4)];
    return rva > 0 && size > 0 ? { rva, size } : null;
  };
  const count = Math.min(coffHeader.readUInt16LE(6), MAX_SECTIONS);
  const sectionTable = file.read(peStart + 24 + optionalSize, count * 40);
  if (!sectionTable) return null;
  const sections = Array.from({ length: count }, (_, n) => ({
    rva: sectionTable.readUInt32LE(n * 40 + 12),
    size: sectionTable.readUInt32LE(n * 40 + 16),
    offset: sectionTable.readUInt32LE(n * 40 + 20),
  }));
  const certificateTable = directory(certificateDirectory);
  return {
    resources: directory(resourceDirectory),
    certificates: certificateTable && { offset: certificateTable.rva, size: certificateTable.size },
    offsetOf(rva) {
      const section = sections.find((s) => rva >= s.rva && rva < s.rva + s.size);
      return section ? section.offset + (rva - section.rva) : null;
    },
  };
}
