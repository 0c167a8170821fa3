import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfPlain } from '../../../lib/plain-file.ts';
import { stampAt } from '../../../lib/stamp.ts';
import type { GuardUserFiles } from '../../../lib/user-file-work.ts';
import type { FoundListing } from '../../port.ts';
import { isExecutable } from './executables.ts';
import type { Home } from './homes.ts';
import { readEntries } from './read.ts';
import { userFolders } from './user-dirs.ts';

/** Limits per folder: files, depth. */
const MAX_COUNT = 5000;
const MAX_DEPTH = 2;
const MAX_HASHED_BYTES = 256 * 1024 * 1024;
const installers = /\.(appimage|deb|rpm|run|sh|bin|exe|msi|flatpakref|snap|dmg|pkg|zip)$/i;

type Downloads = FoundListing['downloads'];

/** Files in `XDG_DOWNLOAD_DIR` (user-dirs.dirs(5)) and ~/Downloads. */
export async function listDownloads(homes: Home[], guard: GuardUserFiles): Promise<Downloads> {
  const files: Downloads = [];
  for (const home of homes) {
    for (const downloadsFolder of await foldersOf(home, guard)) files.push(...(await filesBelow(downloadsFolder)));
  }
  return files;
}

async function foldersOf(person: Home, guard: GuardUserFiles): Promise<string[]> {
  const home = person.folder;
  const folders = [join(home, 'Downloads'), ...(await userFolders(person, ['DOWNLOAD'], guard))];
  const realPaths = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  const realHome = await realpath(home).catch(() => home);
  // `XDG_DOWNLOAD_DIR` may name the whole home, or another user's folder.
  const uniqueFolders = [...new Set(realPaths.filter((path) => path !== null && path !== realHome))] as string[];
  const isOwned = await Promise.all(uniqueFolders.map((path) => haveSameOwner(path, realHome)));
  return uniqueFolders.filter((_, at) => isOwned[at]);
}

async function haveSameOwner(path: string, otherPath: string): Promise<boolean> {
  const [firstStat, secondStat] = await Promise.all([path, otherPath].map((folder) => stat(folder).catch(() => null)));
  return firstStat != null && secondStat != null && firstStat.uid === secondStat.uid;
}

async function filesBelow(folder: string, depth = 1): Promise<Downloads> {
  const files: Downloads = [];
  for (const entry of await readEntries(folder)) {
    const path = join(folder, entry.name);
    // Taken before the hash, so that a later change of the file is noticed.
    const stamp = entry.isFile() ? await stampAt(path) : null;
    if (stamp !== null) files.push({ name: entry.name, path, stamp, ...(await hashOf(path, entry.name)) });
    if (entry.isDirectory() && depth < MAX_DEPTH) files.push(...(await filesBelow(path, depth + 1)));
    if (files.length >= MAX_COUNT) break;
  }
  return files.slice(0, MAX_COUNT);
}

async function hashOf(path: string, name: string): Promise<{ sha256?: string }> {
  if (!installers.test(name) && !(await isExecutable(path))) return {};
  const sha256 = await sha256OfPlain(path, MAX_HASHED_BYTES);
  return sha256 === null ? {} : { sha256 };
}
