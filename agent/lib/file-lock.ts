import { closeSync, openSync } from 'node:fs';

const [LOCK_EX, LOCK_NB, EAGAIN] = [2, 4, 11];

/**
 * Locks the file with flock(2) until `release` or the end of this process; child processes do not inherit the lock. Null when it is locked
 * already; undefined where the C library cannot be called.
 */
export async function lockFile(path: string): Promise<{ release(): void } | null | undefined> {
  const koffi = await import('koffi').then(
    (found) => found.default,
    () => null,
  );
  if (!koffi) return undefined;
  const flock = koffi.load(null).func('int flock(int fd, int operation)') as (fd: number, operation: number) => number;
  const fd = openSync(path, 'a', 0o600);
  if (flock(fd, LOCK_EX | LOCK_NB) === 0) return { release: () => closeSync(fd) };
  const errno = koffi.errno();
  closeSync(fd);
  if (errno === EAGAIN) return null;
  throw new Error(`${path} cannot be locked: error ${errno}.`);
}
