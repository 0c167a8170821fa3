import { lstatSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isBelow } from '../../../lib/in-folder.ts';
import type { GuardUserFiles } from '../../../lib/user-file-work.ts';
import { type Home, homesOf } from '../listing/homes.ts';
import { userFolders } from '../listing/user-dirs.ts';

/** Below a download folder, how deep a file counts as downloaded or extracted there: 1 is the folder itself. */
export const MAX_DEPTH = 4;

export interface DownloadFolder {
  /** Without symbolic links. */
  path: string;
  /** The owner, whose files alone are marked. */
  uid: number;
}

/** The folders of user-dirs.dirs(5) for downloads and of the desktop, ~/Downloads and ~/Desktop of each person. */
export async function downloadFolders(root: string, onlyUid: number | null, guard: GuardUserFiles): Promise<DownloadFolder[]> {
  const folders: DownloadFolder[] = [];
  for (const home of await homesOf(root, onlyUid)) folders.push(...(await foldersOf(home, guard)));
  return folders.filter(({ path }, at) => folders.findIndex((one) => one.path === path) === at);
}

async function foldersOf(person: Home, guard: GuardUserFiles): Promise<DownloadFolder[]> {
  const home = person.folder;
  const owner = folderAt(home);
  if (!owner) return [];
  const paths = [join(home, 'Downloads'), join(home, 'Desktop'), ...(await userFolders(person, ['DOWNLOAD', 'DESKTOP'], guard))];
  return paths.flatMap((path) => {
    const folder = folderAt(path);
    // The configuration may name the whole home, a folder above it, or another user's folder.
    return folder && folder.uid === owner.uid && !isBelow(owner.path, folder.path) ? [folder] : [];
  });
}

function folderAt(path: string): DownloadFolder | null {
  try {
    const realPath = realpathSync(path);
    const stat = lstatSync(realPath);
    return stat.isDirectory() ? { path: realPath, uid: stat.uid } : null;
  } catch {
    return null;
  }
}

/** The download folder of a file, unless the file is too deep in it. */
export function folderOfFile(folders: DownloadFolder[], path: string): DownloadFolder | null {
  const isNear = (folder: string) => path.startsWith(folder + sep) && path.slice(folder.length + 1).split(sep).length <= MAX_DEPTH;
  return folders.find((folder) => isNear(folder.path)) ?? null;
}
