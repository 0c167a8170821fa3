import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { win32 } from 'node:path';
import type { FoundListing } from '../../port.ts';
import type { FileFacts } from '../file/file-facts.ts';

/** Reads a registry key; numbers become decimal text. Null when the key is missing. */
export type ReadKey = (key: string) => { values: Record<string, string>; keys: string[] } | null;

export interface WindowsReaders {
  key: ReadKey;
  filesIn(folder: string): Promise<string[]>;
  text(path: string): Promise<string | null>;
  program(path: string): Promise<Omit<FoundListing['downloads'][number], 'name' | 'path' | 'stamp'>>;
  /** `sid`: key below HKEY_USERS; `folder`: of the user's profile. */
  people: { sid: string; folder: string }[];
  windows: string;
  program_data: string;
}

const MAX_HASHED_BYTES = 256 * 1024 * 1024;
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_COUNT = 5000;

const profilesKey = String.raw`HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\ProfileList`;
/** Security identifiers of local, domain and Azure users. */
const personPattern = /^S-1-(5-21|12-1)-/i;

/** Users' registry values are available only while they are logged in. */
export function windowsReaders(key: ReadKey, facts: (path: string) => FileFacts, env: NodeJS.ProcessEnv): WindowsReaders {
  return {
    key,
    async filesIn(folder) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      const files = entries.filter((entry) => entry.isFile()).map(({ name }) => win32.join(folder, name));
      return files.toSorted((one, other) => (one < other ? -1 : 1)).slice(0, MAX_COUNT);
    },
    text: (path) => smallText(path).catch(() => null),
    async program(path) {
      try {
        if ((await lstat(path)).size > MAX_HASHED_BYTES) return facts(path);
        const hash = createHash('sha256');
        for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
        return { sha256: hash.digest('hex'), ...facts(path) };
      } catch {
        return {};
      }
    },
    people: peopleOf(key),
    windows: env.SystemRoot ?? 'C:\\Windows',
    program_data: env.ProgramData ?? 'C:\\ProgramData',
  };
}

export function peopleOf(key: ReadKey): WindowsReaders['people'] {
  return (key(profilesKey)?.keys ?? [])
    .filter((sid) => personPattern.test(sid))
    .flatMap((sid) => {
      const folder = key(`${profilesKey}\\${sid}`)?.values.ProfileImagePath;
      return folder ? [{ sid, folder }] : [];
    });
}

async function smallText(path: string): Promise<string | null> {
  if ((await lstat(path)).size > MAX_TEXT_BYTES) return null;
  const bytes = await readFile(path);
  return bytes.readUInt16LE(0) === 0xfeff ? bytes.toString('utf16le', 2) : bytes.toString('utf8');
}
