import type { Bytes } from './bytes.ts';
import type { PeLayout } from './pe.ts';

export interface VersionInfo {
  original_name?: string;
  internal_name?: string;
  product?: string;
  description?: string;
  company?: string;
}

const versionType = 16;
const MAX_ENTRIES = 1024;
const MAX_BYTES = 64 << 10;
const fieldNames = new Map<string, keyof VersionInfo>([
  ['OriginalFilename', 'original_name'],
  ['InternalName', 'internal_name'],
  ['ProductName', 'product'],
  ['FileDescription', 'description'],
  ['CompanyName', 'company'],
]);

/** The first language that has a value for a field counts. */
export function readVersionInfo(file: Bytes, pe: PeLayout): VersionInfo {
  const block = versionBlock(file, pe);
  const info: VersionInfo = {};
  if (block) collectFields(block, 0, block.length, 0, info);
  return info;
}

/** The version resource: type 16, first name, first language. */
function versionBlock(file: Bytes, pe: PeLayout): Buffer | null {
  if (!pe.resources) return null;
  const resourceOffset = pe.offsetOf(pe.resources.rva);
  if (resourceOffset === null) return null;
  let at = resourceOffset;
  for (const wantedId of [versionType, null, null]) {
    const entry = findEntry(file, at, wantedId);
    if (entry === null) return null;
    at = resourceOffset + (entry & 0x7fffffff);
  }
  const dataEntry = file.read(at, 8);
  const offset = dataEntry && pe.offsetOf(dataEntry.readUInt32LE(0));
  return dataEntry && offset !== null ? file.read(offset, Math.min(dataEntry.readUInt32LE(4), MAX_BYTES)) : null;
}

/** The resource entry with this ID, or the first entry if null. */
function findEntry(file: Bytes, at: number, id: number | null): number | null {
  const header = file.read(at, 16);
  if (!header) return null;
  const count = Math.min(header.readUInt16LE(12) + header.readUInt16LE(14), MAX_ENTRIES);
  const entries = file.read(at + 16, count * 8);
  for (let n = 0; entries && n < count; n++) {
    if (id === null || entries.readUInt32LE(n * 8) === id) return entries.readUInt32LE(n * 8 + 4);
  }
  return null;
}

/** Reads nested blocks: length, value length, type, key, content. */
function collectFields(block: Buffer, from: number, to: number, level: number, info: VersionInfo): void {
  for (let at = from; at + 6 <= to && level < 4; ) {
    const length = block.readUInt16LE(at);
    const end = at + length;
    if (length < 6 || end > to) return;
    const key = textAt(block, at + 6, end);
    const contentStart = align(at + 6 + key.length * 2 + 2);
    const valueLength = block.readUInt16LE(at + 2);
    const field = level === 3 ? fieldNames.get(key) : undefined;
    if (field && info[field] === undefined && contentStart < end) {
      const value = textAt(block, contentStart, end).trim();
      if (value) info[field] = value.slice(0, 300);
    }
    // Only the root value is binary, with its length in bytes.
    collectFields(block, align(contentStart + (level === 0 ? valueLength : 0)), end, level + 1, info);
    at = align(end);
  }
}

const align = (at: number) => (at + 3) & ~3;

function textAt(block: Buffer, from: number, to: number): string {
  let end = from;
  while (end + 2 <= to && block.readUInt16LE(end) !== 0) end += 2;
  return block.toString('utf16le', from, Math.max(from, end));
}
