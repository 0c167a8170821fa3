/** What is packed: paths without a slash in front, each folder before its files. */
export interface Entry {
  path: string;
  /** Null for a folder. */
  content: Buffer | null;
  /** Permissions, as in chmod. */
  mode: number;
}

/** Puts the folders in, sorted, so that the same files always give the same package. Everything belongs to root. */
export function treeOf(files: (Entry & { content: Buffer })[]): Entry[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    const parts = path.split('/').slice(0, -1);
    for (let n = 1; n <= parts.length; n++) folders.add(parts.slice(0, n).join('/'));
  }
  const all: Entry[] = [...files, ...[...folders].map((path) => ({ path, content: null, mode: 0o755 }))];
  return all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** A date of its own would make each package another one: this is that of every file. Seconds since 1970. */
export const packedAt = 1_577_836_800;

/** With the kind of the file in front of the permissions, as stat gives it. */
export const fullMode = ({ content, mode }: Entry): number => (content === null ? 0o040000 : 0o100000) | mode;
