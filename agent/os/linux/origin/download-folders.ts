import { lstatSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type Home, homesOf } from '../listing/homes.ts';
import { readText } from '../listing/read.ts';

/** Below a download folder, how deep a file counts as downloaded or extracted there: 1 is the folder itself. */
export const MAX_DEPTH = 4;

export interface DownloadFolder {
  /** Without symbolic links. */
  path: string;
  /** The owner, whose files alone are marked. */
  uid: number;
}

/** The folders of user-dirs.dirs(5) for downloads and of the desktop, ~/Downloads and ~/Desktop of each person. */
export async function downloadFolders(root: string, onlyUid: number | null): Promise<DownloadFolder[]> {
  const folders: DownloadFolder[] = [];
  for (const home of await homesOf(root, onlyUid)) folders.push(...(await foldersOf(home)));
  return folders.filter(({ path }, at) => folders.findIndex((one) => one.path === path) === at);
}

async function foldersOf({ folder: home }: Home): Promise<DownloadFolder[]> {
  const owner = folderAt(home);
  if (!owner) return [];
  const userDirs = (await readText(join(home, '.config/user-dirs.dirs'))) ?? '';
  const configured = [...userDirs.matchAll(/^\s*XDG_(?:DOWNLOAD|DESKTOP)_DIR="(.*)"\s*$/gm)].map(([, path = '']) =>
    path.replace('$HOME', home),
  );
  const paths = [join(home, 'Downloads'), join(home, 'Desktop'), ...configured.filter((path) => path.startsWith('/'))];
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

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(folder === sep ? folder : folder + sep);

/** The download folder of a file, unless the file is too deep in it. */
export function folderOfFile(folders: DownloadFolder[], path: string): DownloadFolder | null {
  const isNear = (folder: string) => path.startsWith(folder + sep) && path.slice(folder.length + 1).split(sep).length <= MAX_DEPTH;
  return folders.find((folder) => isNear(folder.path)) ?? null;
}
