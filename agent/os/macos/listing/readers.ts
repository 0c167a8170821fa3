import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { ProcessSeen } from '../../port.ts';
import type { MacReaders } from './listing.ts';

/** How large a program may be for its hash to be taken, in bytes; and how many entries of one folder are looked at. */
const largestHashed = 256 * 1024 * 1024;
const most = 5000;

/** This Mac: as root everyone's, otherwise this person's. `saysOf`: what a program says of itself. `users`: where people's folders lie. */
export async function macReaders(root: boolean, saysOf: (path: string) => ProcessSeen['program'], users = '/Users'): Promise<MacReaders> {
  const entriesIn = async (folder: string) =>
    (await readdir(folder).catch(() => []))
      .sort((one, other) => (one < other ? -1 : 1))
      .slice(0, most)
      .map((name) => join(folder, name));
  const homes = root ? (await entriesIn(users)).filter((folder) => !/^(Shared|\.)/.test(basename(folder))) : [homedir()];
  return {
    entriesIn,
    bytes: (path) => readFile(path).catch(() => null),
    async program(path) {
      try {
        const stat = await lstat(path);
        if (!stat.isFile() || stat.size > largestHashed) return {};
        const hash = createHash('sha256');
        for await (const part of createReadStream(path)) hash.update(part as Buffer);
        const { signer, team_id } = saysOf(path);
        return { sha256: hash.digest('hex'), ...(signer ? { signer } : {}), ...(team_id ? { team_id } : {}) };
      } catch {
        return {};
      }
    },
    people: homes.map((folder) => ({ user: basename(folder), folder })),
  };
}
