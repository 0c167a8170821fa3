/** A file or folder. Paths have no leading slash; each folder comes before its files. */
export interface Entry {
  path: string;
  content: Buffer | null;
  mode: number;
}

/** Files with all their folders, sorted, so that the same files give the same package. */
export function treeOf(files: (Entry & { content: Buffer })[]): Entry[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    const segments = path.split('/').slice(0, -1);
    for (let n = 1; n <= segments.length; n++) folders.add(segments.slice(0, n).join('/'));
  }
  const allEntries: Entry[] = [...files, ...[...folders].map((path) => ({ path, content: null, mode: 0o755 }))];
  return allEntries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** A fixed time for reproducible packages, in seconds since 1970. */
export const packedAt = 1_577_836_800;

/** Permission bits with the file type, as in stat. */
export const fullMode = ({ content, mode }: Entry): number => (content === null ? 0o040000 : 0o100000) | mode;
