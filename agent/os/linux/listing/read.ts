import type { Dirent } from 'node:fs';
import { type FileHandle, opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isBelow } from '../../../lib/in-folder.ts';
import { withLinkedFile, withPlainFile } from '../../../lib/plain-file.ts';
import type { Guarded } from '../../../lib/user-file-work.ts';

/** Larger system files are not read. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Entries of a folder. */
const MAX_ENTRIES = 5000;
/** What a user may write is read with these limits, since root's process must not run out of memory or time for it: bytes, characters, files. */
const MAX_USER_BYTES = 256 * 1024;
const MAX_LINE = 4096;
const MAX_USER_FILES = 500;

/** For files that only administrators can write. Null unless the path is a readable regular file: a pipe would never end. */
export async function readText(path: string): Promise<string | null> {
  return withLinkedFile(path, (file) => file.readFile('utf8'), MAX_BYTES);
}

export async function readEntries(folder: string): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder)) if (entries.push(entry) >= MAX_ENTRIES) break;
  } catch {
    // A folder that is missing or was removed meanwhile.
  }
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export interface TextFiles {
  /** The result of `parse`, which gets the lines at the start of a file; null unless the path is a readable regular file. */
  read<T>(path: string, parse: (lines: string[]) => T): Promise<T | null>;
  /** The whole file; null unless the path is a readable regular file of at most `largest` bytes. */
  whole(path: string, largest: number): Promise<string | null>;
  entries(folder: string, isWanted: (entry: Dirent) => boolean): Promise<Dirent[]>;
  paths(folder: string, ending: string): Promise<string[]>;
}

/**
 * Files of a few pages, such as settings. `home`: the folder of the user who may write them, which no symbolic link may leave; null for files
 * of administrators. `guarded` runs each `parse`.
 */
export function textFiles(home: string | null, guarded: Guarded): TextFiles {
  /** Null when the path leads out of the home. */
  const inHome = async (path: string): Promise<string | null> => {
    const [realPath, realHome] = await Promise.all([path, home ?? '/'].map((one) => realpath(one).catch(() => null)));
    return realPath && realHome && isBelow(realPath, realHome) ? realPath : null;
  };
  const entries: TextFiles['entries'] = async (folder, isWanted) => {
    const realFolder = await inHome(folder);
    const wanted = realFolder === null ? [] : (await readEntries(realFolder)).filter(isWanted);
    return home === null ? wanted : wanted.slice(0, MAX_USER_FILES);
  };
  const startOf = async (path: string, length: number, largest?: number): Promise<Buffer | null> => {
    const realPath = await inHome(path);
    if (!realPath) return null;
    const readStart = async (file: FileHandle) => {
      // The user may have put a link in place of a folder meanwhile.
      if (!(await inHome(`/proc/self/fd/${file.fd}`))) return null;
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, length)), { position: 0 });
      return buffer.subarray(0, bytesRead);
    };
    return withPlainFile(realPath, readStart, largest);
  };
  return {
    async read(path, parse) {
      const bytes = await startOf(path, MAX_USER_BYTES);
      if (!bytes) return null;
      return guarded(() =>
        parse(
          bytes
            .toString('utf8')
            .split('\n')
            .map((line) => line.slice(0, MAX_LINE)),
        ),
      );
    },
    whole: async (path, largest) => (await startOf(path, largest, largest))?.toString('utf8') ?? null,
    entries,
    paths: async (folder, ending) =>
      (await entries(folder, (entry) => !entry.isDirectory() && entry.name.endsWith(ending))).map(({ name }) => join(folder, name)),
  };
}

/** Settings of administrators. */
export const systemFiles = textFiles(null, (work) => work());

/** The `KEY=value` lines of one `[section]`; the first value of a key counts. */
export function readSection(lines: string[], name: string): Map<string, string> {
  const values = new Map<string, string>();
  let isInSection = false;
  for (const rawLine of lines) {
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
