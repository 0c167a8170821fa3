import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withLinkedFile } from '../../../lib/plain-file.ts';

/** Larger than any list that a system keeps: what is larger is not read. In bytes. */
const largest = 64 * 1024 * 1024;

/** The text of a file that is one; null when it is not there, cannot be read, or is something else (a pipe would never end). */
export async function textOf(path: string): Promise<string | null> {
  return withLinkedFile(path, (file) => file.readFile('utf8'), largest);
}

/** What lies in a folder, in order; nothing when it cannot be read. */
export async function entriesOf(folder: string) {
  return (await readdir(folder, { withFileTypes: true }).catch(() => [])).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The files and links of a folder whose names end so, by their whole paths. */
export async function pathsIn(folder: string, ending: string): Promise<string[]> {
  return (await entriesOf(folder)).filter((e) => !e.isDirectory() && e.name.endsWith(ending)).map((e) => join(folder, e.name));
}

/** `KEY=value` lines of one `[section]` of a file as systemd, desktop entries and flatpak write it; the first of each key counts. */
export function section(text: string, name: string): Map<string, string> {
  const found = new Map<string, string>();
  let inside = false;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line.startsWith('[')) inside = line === `[${name}]`;
    else if (inside && !line.startsWith('#') && !line.startsWith(';')) {
      const at = line.indexOf('=');
      const key = line.slice(0, at).trim();
      const value = line.slice(at + 1).trim();
      if (at > 0 && value !== '' && !found.has(key)) found.set(key, value);
    }
  }
  return found;
}
