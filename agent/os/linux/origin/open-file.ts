import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';

/** Opens no content, so a pipe does not block and a device has no effects: open(2). */
const O_PATH = 0o10000000;

export interface OpenFile {
  /** A descriptor of O_PATH. */
  descriptor: number;
  /** The path now. */
  path: string;
  /** Device, inode and birth. The number of an inode is reused, its time of birth is not. */
  id: string;
  uid: number;
  /** Milliseconds since 1970; the last change where the file system has no births. */
  born: number;
  /** May only root change it? */
  is_root_only: boolean;
}

/** Null unless the path is a regular file. `links`: whether a symbolic link as the last name is followed. */
export function withOpenFile<T>(path: string, links: 'follow' | 'refuse', use: (file: OpenFile) => T): T | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_PATH | (links === 'follow' ? 0 : constants.O_NOFOLLOW));
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(descriptor, { bigint: true });
    if (!stat.isFile()) return null;
    const isRootOnly = stat.uid === 0n && (stat.mode & 0o022n) === 0n;
    return use({
      descriptor,
      path: readlinkSync(`/proc/self/fd/${descriptor}`).replace(/ \(deleted\)$/, ''),
      id: `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`,
      uid: Number(stat.uid),
      born: Number((stat.birthtimeNs || stat.ctimeNs) / 1_000_000n),
      is_root_only: isRootOnly,
    });
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
