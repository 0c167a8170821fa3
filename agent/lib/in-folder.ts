import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NotDone } from './not-done.ts';

/**
 * Works on a file in its folder, and nowhere else: the folder is held open and reached without following a link, so that nobody can put a link to another
 * folder in its place meanwhile. Where folders cannot be held so (not Linux) it is looked at once. Throws `NotDone` when a link leads there.
 */
export async function inFolder<T>(path: string, work: (at: string) => Promise<T>, platform: string = process.platform): Promise<T> {
  const folder = dirname(path);
  let held: FileHandle;
  try {
    if (!sameFolder(await realpath(folder), folder)) throw new NotDone('protected');
    if (platform !== 'linux') return await work(path);
    held = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (err) {
    throw isMissing(err) ? new NotDone('gone') : err;
  }
  try {
    const at = `/proc/self/fd/${held.fd}`;
    if ((await readlink(at)) !== folder) throw new NotDone('protected');
    return await work(join(at, basename(path)));
  } finally {
    await held.close();
  }
}

/** Is it written alike? For Windows large and small letters are: its registry often says a path otherwise than the disk does. */
export const sameFolder = (one: string, other: string, platform = process.platform): boolean =>
  one === other || (platform === 'win32' && one.toLowerCase() === other.toLowerCase());

export const codeOf = (err: unknown): string | undefined => (err as { code?: string } | null)?.code;
export const isMissing = (err: unknown): boolean => codeOf(err) === 'ENOENT' || codeOf(err) === 'ENOTDIR';
