import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { NotDone } from './not-done.ts';

/**
 * Works on a file through an open handle of its folder, so that nobody can replace the folder with a symbolic link meanwhile. On systems
 * other than Linux the folder is checked only once, before. Throws `NotDone` for a symbolic link.
 */
export async function inFolder<T>(path: string, work: (at: string) => Promise<T>, platform: string = process.platform): Promise<T> {
  const folder = dirname(path);
  let handle: FileHandle;
  try {
    if (!sameFolder(await realpath(folder), folder)) throw new NotDone('protected');
    if (platform !== 'linux') return await work(path);
    handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (err) {
    throw isMissing(err) ? new NotDone('gone') : err;
  }
  try {
    const handlePath = `/proc/self/fd/${handle.fd}`;
    if ((await readlink(handlePath)) !== folder) throw new NotDone('protected');
    return await work(join(handlePath, basename(path)));
  } finally {
    await handle.close();
  }
}

/** Windows ignores case, and its registry often spells a path differently from the disk. */
export const sameFolder = (one: string, other: string, platform = process.platform): boolean =>
  one === other || (platform === 'win32' && one.toLowerCase() === other.toLowerCase());

/** Neither path has symbolic links. A folder is below itself. */
export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === sep ? folder : folder + sep);

export const codeOf = (err: unknown): string | undefined => (err as { code?: string } | null)?.code;
export const isMissing = (err: unknown): boolean => codeOf(err) === 'ENOENT' || codeOf(err) === 'ENOTDIR';
