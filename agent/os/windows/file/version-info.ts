import type { Bytes } from './bytes.ts';
import type { PeParts } from './pe.ts';

/** What a program says of itself, whatever its file is called now. */
export interface VersionInfo {
  original_name?: string;
  product?: string;
  company?: string;
}

const versionType = 16;
const mostEntries = 1024;
const mostBytes = 64 << 10;
const wanted = new Map<string, keyof VersionInfo>([
  ['OriginalFilename', 'original_name'],
  ['ProductName', 'product'],
  ['CompanyName', 'company'],
]);

/** The version information of a program; empty when it has none, or a damaged one. Of several languages the first that has it counts. */
export function readVersionInfo(file: Bytes, pe: PeParts): VersionInfo {
  const block = versionBlock(file, pe);
  const info: VersionInfo = {};
  if (block) collect(block, 0, block.length, 0, info);
  return info;
}

/** Type 16, its first name, its first language. */
function versionBlock(file: Bytes, pe: PeParts): Buffer | null {
  if (!pe.resources) return null;
  const base = pe.offsetOf(pe.resources.rva);
  if (base === null) return null;
  let at = base;
  for (const wantedId of [versionType, null, null]) {
    const entry = entryOf(file, at, wantedId);
    if (entry === null) return null;
    at = base + (entry & 0x7fffffff);
  }
  const leaf = file.read(at, 8);
  const offset = leaf && pe.offsetOf(leaf.readUInt32LE(0));
  return leaf && offset !== null ? file.read(offset, Math.min(leaf.readUInt32LE(4), mostBytes)) : null;
}

/** The offset field of the entry with this number, or of the first one. */
function entryOf(file: Bytes, at: number, id: number | null): number | null {
  const head = file.read(at, 16);
  if (!head) return null;
  const count = Math.min(head.readUInt16LE(12) + head.readUInt16LE(14), mostEntries);
  const entries = file.read(at + 16, count * 8);
  for (let n = 0; entries && n < count; n++) {
    if (id === null || entries.readUInt32LE(n * 8) === id) return entries.readUInt32LE(n * 8 + 4);
  }
  return null;
}

/** The blocks of the tree between `from` and `to`: length, length of the value, type, key, and what is in it. Four levels is all there is. */
function collect(block: Buffer, from: number, to: number, level: number, info: VersionInfo): void {
  for (let at = from; at + 6 <= to && level < 4; ) {
    const length = block.readUInt16LE(at);
    const end = at + length;
    if (length < 6 || end > to) return;
    const key = textAt(block, at + 6, end);
    const inside = align(at + 6 + key.length * 2 + 2);
    const valueLength = block.readUInt16LE(at + 2);
    const field = level === 3 ? wanted.get(key) : undefined;
    if (field && info[field] === undefined && inside < end) {
      const value = textAt(block, inside, end).trim();
      if (value) info[field] = value.slice(0, 300);
    }
    // Only the first block has a value that is no text: its length is in bytes.
    collect(block, align(inside + (level === 0 ? valueLength : 0)), end, level + 1, info);
    at = align(end);
  }
}

const align = (at: number) => (at + 3) & ~3;

/** UTF-16 up to the zero, or to the end. */
function textAt(block: Buffer, from: number, to: number): string {
  let end = from;
  while (end + 2 <= to && block.readUInt16LE(end) !== 0) end += 2;
  return block.toString('utf16le', from, Math.max(from, end));
}
