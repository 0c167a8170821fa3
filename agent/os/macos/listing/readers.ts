import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { isBelow } from '../../../lib/in-folder.ts';
import { sha256OfPlain, withLinkedFile, withPlainFile } from '../../../lib/plain-file.ts';
import type { ProcessSeen } from '../../port.ts';
import type { MacReaders } from './listing.ts';

const MAX_HASHED_BYTES = 256 * 1024 * 1024;
const MAX_LIST_BYTES = 64 * 1024 * 1024;
const MAX_COUNT = 5000;
/** A list that a user can write: larger ones are not read, since the start of a property list is none. */
const MAX_USER_BYTES = 256 * 1024;

/** As root reads the files of all users, otherwise only of this user. */
export async function macReaders(
  isRoot: boolean,
  metadataOf: (path: string) => ProcessSeen['program'],
  usersFolder = '/Users',
): Promise<MacReaders> {
  const entriesIn = async (folder: string) =>
    (await readdir(folder).catch(() => []))
      .sort((one, other) => (one < other ? -1 : 1))
      .slice(0, MAX_COUNT)
      .map((name) => join(folder, name));
  const homes = isRoot ? (await entriesIn(usersFolder)).filter((folder) => !/^(Shared|\.)/.test(basename(folder))) : [homedir()];
  return {
    entriesIn,
    async bytes(path, largest = MAX_USER_BYTES) {
      const home = homes.find((folder) => isBelow(path, folder));
      if (home === undefined) return withLinkedFile(path, (file) => file.readFile(), MAX_LIST_BYTES);
      const [realPath, realHome] = await Promise.all([path, home].map((one) => realpath(one).catch(() => null)));
      // No symbolic link may lead out of the home.
      return realPath && realHome && isBelow(realPath, realHome) ? withPlainFile(realPath, (file) => file.readFile(), largest) : null;
    },
    async program(path) {
      const sha256 = await sha256OfPlain(path, MAX_HASHED_BYTES);
      if (sha256 === null) return {};
      const { signer, team_id } = metadataOf(path);
      return { sha256, ...(signer ? { signer } : {}), ...(team_id ? { team_id } : {}) };
    },
    people: homes.map((folder) => ({ user: basename(folder), folder })),
  };
}
