import { access } from 'node:fs/promises';
import type { FoundListing } from '../../port.ts';

/** Tags of a package's header: rpmtag.h. */
const tags = { name: 1000, version: 1001, vendor: 1011 };

/** Packages of rpm's database as it is since rpm 4.16 (Fedora 33, RHEL 9): SQLite, each row a header. Older ones are not read. */
export async function rpmPackages(files: string[]): Promise<FoundListing['programs']> {
  const found: FoundListing['programs'] = [];
  for (const file of files) {
    if (
      !(await access(file).then(
        () => true,
        () => false,
      ))
    )
      continue;
    for (const blob of await headers(file)) {
      const header = readHeader(blob);
      const [name, version, publisher] = [header.get(tags.name), header.get(tags.version), header.get(tags.vendor)];
      if (name) found.push({ name, package: 'rpm', ...(version ? { version } : {}), ...(publisher ? { publisher } : {}) });
    }
  }
  return found;
}

async function headers(file: string): Promise<Uint8Array[]> {
  try {
    // Only where there is such a database: Node warns that its module is new.
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

/** The texts of a header: two counts, then sixteen bytes for each entry (tag, kind, offset, count), then what they point to. All big-endian. */
export function readHeader(bytes: Uint8Array): Map<number, string> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts = new Map<number, string>();
  if (view.length < 8) return texts;
  const entries = view.readUInt32BE(0);
  const store = 8 + entries * 16;
  if (store > view.length) return texts;
  for (let at = 8; at < store; at += 16) {
    const [tag, kind, from] = [view.readUInt32BE(at), view.readUInt32BE(at + 4), store + view.readUInt32BE(at + 8)];
    const end = view.indexOf(0, from);
    // 6 is a text, 9 one in several languages, of which the first is the one without a language.
    if ((kind === 6 || kind === 9) && end >= from) texts.set(tag, view.toString('utf8', from, end));
  }
  return texts;
}
