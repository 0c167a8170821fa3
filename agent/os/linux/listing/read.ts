import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withLinkedFile } from '../../../lib/plain-file.ts';

/** Larger files are not read. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Null unless the path is a readable regular file: a pipe would never end. */
export async function readText(path: string): Promise<string | null> {
  return withLinkedFile(path, (file) => file.readFile('utf8'), MAX_BYTES);
}

export async function readEntries(folder: string) {
  return (await readdir(folder, { withFileTypes: true }).catch(() => [])).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export async function listPaths(folder: string, ending: string): Promise<string[]> {
  return (await readEntries(folder)).filter((e) => !e.isDirectory() && e.name.endsWith(ending)).map((e) => join(folder, e.name));
}

/** The `KEY=value` lines of one `[section]`; the first value of a key counts. */
export function readSection(text: string, name: string): Map<string, string> {
  const values = new Map<string, string>();
  let isInSection = false;
  for (const rawLine of text.split('\n')) {
    const line = rawLine.trim();
    if (line.startsWith('[')) isInSection = line === `[${name}]`;
    else if (isInSection && !line.startsWith('#') && !line.startsWith(';')) {
      const at = line.indexOf('=');
      const key = line.slice(0, at).trim();
      const value = line.slice(at + 1).trim();
      if (at > 0 && value !== '' && !values.has(key)) values.set(key, value);
    }
  }
  return values;
}
