import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { sha256OfPlain, withLinkedFile } from '../../../lib/plain-file.ts';
import type { ProcessSeen } from '../../port.ts';
import type { MacReaders } from './listing.ts';

/** How large a program may be for its hash to be taken, in bytes; and how many entries of one folder are looked at. */
const largestHashed = 256 * 1024 * 1024;
/** Larger than any list that the system or a person keeps, in bytes. */
const largest = 64 * 1024 * 1024;
const MAX_COUNT = 5000;

/** This Mac: as root everyone's, otherwise this person's. `saysOf`: what a program says of itself. `users`: where people's folders lie. */
export async function macReaders(root: boolean, saysOf: (path: string) => ProcessSeen['program'], users = '/Users'): Promise<MacReaders> {
  const entriesIn = async (folder: string) =>
    (await readdir(folder).catch(() => []))
      .sort((one, other) => (one < other ? -1 : 1))
      .slice(0, MAX_COUNT)
      .map((name) => join(folder, name));
  const homes = root ? (await entriesIn(users)).filter((folder) => !/^(Shared|\.)/.test(basename(folder))) : [homedir()];
  return {
    entriesIn,
    bytes: (path) => withLinkedFile(path, (file) => file.readFile(), largest),
    async program(path) {
      const sha256 = await sha256OfPlain(path, largestHashed);
      if (sha256 === null) return {};
      const { signer, team_id } = saysOf(path);
      return { sha256, ...(signer ? { signer } : {}), ...(team_id ? { team_id } : {}) };
    },
    people: homes.map((folder) => ({ user: basename(folder), folder })),
  };
}
