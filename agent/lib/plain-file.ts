import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';

/** Flags to open a file without following a symbolic link, or blocking on a pipe or a device. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file that a user may replace at any moment with a pipe or a device. Null unless it is a readable regular file of at most
 * `largest` bytes.
 */
export async function withPlainFile<T>(
  path: string,
  use: (file: FileHandle) => Promise<T>,
  largest = Number.POSITIVE_INFINITY,
): Promise<T | null> {
  try {
    // Checked before opening, because opening a device can have effects.
    if (!(await lstat(path)).isFile()) return null;
    const file = await open(path, openFlags);
    try {
      const stat = await file.stat();
      return stat.isFile() && stat.size <= largest ? await use(file) : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

export const withLinkedFile = async <T>(path: string, use: (file: FileHandle) => Promise<T>, largest?: number): Promise<T | null> => {
  const realFile = await realpath(path).catch(() => null);
  return realFile === null ? null : withPlainFile(realFile, use, largest);
};

/** The first bytes of a file, at most `length`, through symbolic links; null unless it is a regular file of at most `largest` bytes. */
export function firstBytes(path: string, length: number, largest = Number.POSITIVE_INFINITY): Buffer | null {
  try {
    const realFile = realpathSync(path);
    if (!lstatSync(realFile).isFile()) return null;
    const file = openSync(realFile, openFlags);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile() || stat.size > largest) return null;
      const buffer = Buffer.alloc(Math.min(length, stat.size));
      let bytesRead = 0;
      for (let readLength = 1; readLength > 0 && bytesRead < buffer.length; bytesRead += readLength)
        readLength = readSync(file, buffer, bytesRead, buffer.length - bytesRead, bytesRead);
      return buffer.subarray(0, bytesRead);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

export const sha256OfPlain = (path: string, largest: number): Promise<string | null> =>
  withPlainFile(
    path,
    async (file) => {
      const hash = createHash('sha256');
      for await (const chunk of file.createReadStream({ autoClose: false, start: 0 })) hash.update(chunk as Buffer);
      return hash.digest('hex');
    },
    largest,
  );
