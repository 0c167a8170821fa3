import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';

/** A link is not followed, and a pipe or a device that came into its place is not waited for. */
const how = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file that a person may swap at any moment for a pipe that never ends, or a device: by an open handle, and only what is a plain file of at most
 * `largest` bytes. Null for anything else, and for what cannot be read.
 */
export async function withPlainFile<T>(
  path: string,
  use: (file: FileHandle) => Promise<T>,
  largest = Number.POSITIVE_INFINITY,
): Promise<T | null> {
  try {
    // Before it is opened: opening a device does something to it.
    if (!(await lstat(path)).isFile()) return null;
    const file = await open(path, how);
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

/** The same for what a link leads to. */
export const withLinkedFile = async <T>(path: string, use: (file: FileHandle) => Promise<T>, largest?: number): Promise<T | null> => {
  const real = await realpath(path).catch(() => null);
  return real === null ? null : withPlainFile(real, use, largest);
};

/** The first bytes of what a path leads to, at most so many; null where that is no plain file of at most `largest` bytes. Does not wait. */
export function firstBytes(path: string, length: number, largest = Number.POSITIVE_INFINITY): Buffer | null {
  try {
    const real = realpathSync(path);
    if (!lstatSync(real).isFile()) return null;
    const file = openSync(real, how);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile() || stat.size > largest) return null;
      const buffer = Buffer.alloc(Math.min(length, stat.size));
      let read = 0;
      for (let more = 1; more > 0 && read < buffer.length; read += more) more = readSync(file, buffer, read, buffer.length - read, read);
      return buffer.subarray(0, read);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** The SHA-256 of a plain file of at most `largest` bytes, in hex; null for anything else. */
export const sha256OfPlain = (path: string, largest: number): Promise<string | null> =>
  withPlainFile(
    path,
    async (file) => {
      const hash = createHash('sha256');
      for await (const part of file.createReadStream({ autoClose: false, start: 0 })) hash.update(part as Buffer);
      return hash.digest('hex');
    },
    largest,
  );
