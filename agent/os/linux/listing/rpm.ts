import { access } from 'node:fs/promises';
import type { FoundListing } from '../../port.ts';

/** Tag numbers in rpmtag.h. */
const tags = { name: 1000, version: 1001, vendor: 1011 };

/** Reads the SQLite database of rpm 4.16 or later (Fedora 33, RHEL 9); not older formats. */
export async function readRpmPackages(files: string[]): Promise<FoundListing['programs']> {
  const programs: FoundListing['programs'] = [];
  for (const file of files) {
    if (
      !(await access(file).then(
        () => true,
        () => false,
      ))
    )
      continue;
    for (const blob of await loadHeaders(file)) {
      const header = readHeader(blob);
      const [name, version, publisher] = [header.get(tags.name), header.get(tags.version), header.get(tags.vendor)];
      if (name) programs.push({ name, package: 'rpm', ...(version ? { version } : {}), ...(publisher ? { publisher } : {}) });
    }
  }
  return programs;
}

async function loadHeaders(file: string): Promise<Uint8Array[]> {
  try {
    // Imported only here: Node prints a warning for this experimental module.
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      return db
        .prepare('select blob from Packages')
        .all()
        .flatMap(({ blob }) => (blob instanceof Uint8Array ? [blob] : []));
    } finally {
      db.close();
    }
  } catch {
    return [];
  }
}

/** An rpm header has two counts, 16 bytes per entry (tag, type, offset, count), then the data; all big-endian. */
export function readHeader(bytes: Uint8Array): Map<number, string> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts = new Map<number, string>();
  if (view.length < 8) return texts;
  const entryCount = view.readUInt32BE(0);
  const dataStart = 8 + entryCount * 16;
  if (dataStart > view.length) return texts;
  for (let at = 8; at < dataStart; at += 16) {
    const [tag, type, start] = [view.readUInt32BE(at), view.readUInt32BE(at + 4), dataStart + view.readUInt32BE(at + 8)];
    const end = view.indexOf(0, start);
    // Type 6: string; type 9: localised strings, of which the first is the default.
    if ((type === 6 || type === 9) && end >= start) texts.set(tag, view.toString('utf8', start, end));
  }
  return texts;
}
