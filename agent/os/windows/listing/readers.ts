import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { win32 } from 'node:path';
import type { FileFacts } from '../file/file-facts.ts';
import type { ReadKey, WindowsReaders } from './listing.ts';

/** How large a program may be for its hash to be taken, and a text to be read, in bytes; and how many files of one folder are looked at. */
const largestHashed = 256 * 1024 * 1024;
const largestText = 1024 * 1024;
const MAX_COUNT = 5000;

const profiles = String.raw`HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\ProfileList`;
/** Of people: local or of a domain, and of Azure. Others are services. */
const person = /^S-1-(5-21|12-1)-/i;

/** This Windows. What is set for a person is there only while that person is logged in; files are there always. */
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
        if ((await lstat(path)).size > largestHashed) return facts(path);
        const hash = createHash('sha256');
        for await (const part of createReadStream(path)) hash.update(part as Buffer);
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

/** Whoever has ever logged in here. */
export function peopleOf(key: ReadKey): WindowsReaders['people'] {
  return (key(profiles)?.keys ?? [])
    .filter((sid) => person.test(sid))
    .flatMap((sid) => {
      const folder = key(`${profiles}\\${sid}`)?.values.ProfileImagePath;
      return folder ? [{ sid, folder }] : [];
    });
}

/** UTF-16 as Windows writes it, known by its first two bytes, or UTF-8. */
async function smallText(path: string): Promise<string | null> {
  if ((await lstat(path)).size > largestText) return null;
  const bytes = await readFile(path);
  return bytes.readUInt16LE(0) === 0xfeff ? bytes.toString('utf16le', 2) : bytes.toString('utf8');
}
