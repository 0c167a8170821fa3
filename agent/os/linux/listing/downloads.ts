import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfPlain } from '../../../lib/plain-file.ts';
import { stampAt } from '../../../lib/stamp.ts';
import type { FoundListing } from '../../port.ts';
import { isExecutable } from './executables.ts';
import type { Home } from './homes.ts';
import { entriesOf, textOf } from './read.ts';

/** How many files of one folder are looked at, and how deep; how large a program may be for its hash to be taken, in bytes. */
const MAX_COUNT = 5000;
const deepest = 2;
const largestHashed = 256 * 1024 * 1024;
const installers = /\.(appimage|deb|rpm|run|sh|bin|exe|msi|flatpakref|snap|dmg|pkg|zip)$/i;

type Downloads = FoundListing['downloads'];

/** The downloads of each person, wherever their language has them: `XDG_DOWNLOAD_DIR` of user-dirs.dirs(5), and Downloads. */
export async function downloads(homes: Home[]): Promise<Downloads> {
  const found: Downloads = [];
  for (const { folder } of homes) {
    for (const one of await foldersOf(folder)) found.push(...(await filesBelow(one)));
  }
  return found;
}

async function foldersOf(home: string): Promise<string[]> {
  const dirs = (await textOf(join(home, '.config/user-dirs.dirs'))) ?? '';
  const own = /^\s*XDG_DOWNLOAD_DIR="(.*)"\s*$/m.exec(dirs)?.[1]?.replace('$HOME', home);
  const folders = [join(home, 'Downloads'), ...(own?.startsWith('/') ? [own] : [])];
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  const realHome = await realpath(home).catch(() => home);
  // A person who set it to their whole home has no downloads folder: everything of theirs is no download. Nor is what belongs to somebody else.
  const found = [...new Set(real.filter((path) => path !== null && path !== realHome))] as string[];
  const theirs = await Promise.all(found.map((path) => isOfOne(path, realHome)));
  return found.filter((_, at) => theirs[at]);
}

async function isOfOne(path: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([path, other].map((folder) => stat(folder).catch(() => null)));
  return one != null && two != null && one.uid === two.uid;
}

async function filesBelow(folder: string, depth = 1): Promise<Downloads> {
  const found: Downloads = [];
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    // As it was before it was read: what changes meanwhile is another file.
    const stamp = entry.isFile() ? await stampAt(path) : null;
    if (stamp !== null) found.push({ name: entry.name, path, stamp, ...(await hashOf(path, entry.name)) });
    if (entry.isDirectory() && depth < deepest) found.push(...(await filesBelow(path, depth + 1)));
    if (found.length >= MAX_COUNT) break;
  }
  return found.slice(0, MAX_COUNT);
}

/** Of programs and installers alone: what else a person has downloaded is not read. */
async function hashOf(path: string, name: string): Promise<{ sha256?: string }> {
  if (!installers.test(name) && !(await isExecutable(path))) return {};
  const sha256 = await sha256OfPlain(path, largestHashed);
  return sha256 === null ? {} : { sha256 };
}
