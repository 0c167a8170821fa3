import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ramDisk = '/dev/shm';
const prefix = 'porchlight-';
/** In bytes; the tests' databases need less than half of it. */
const neededSpace = 4 * 1024 ** 3;

/**
 * A folder for temporary files of tests, in memory where there is enough of it: databases wait for no disk there. `close` removes it.
 * Removes folders of earlier runs that were killed.
 */
export async function openTestFolder(): Promise<{ folder: string; close(): Promise<void> }> {
  const parent = (await hasSpace()) ? ramDisk : tmpdir();
  for (const name of await readdir(parent)) {
    const [, pid] = /^porchlight-(\d+)$/.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
  const folder = join(parent, `${prefix}${process.pid}`);
  // Some tests start programs in it as another user.
  await mkdir(folder, { mode: 0o755, recursive: true });
  return { folder, close: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

async function hasSpace(): Promise<boolean> {
  if (process.platform !== 'linux' || !existsSync(ramDisk)) return false;
  const { bavail, bsize } = await statfs(ramDisk);
  return bavail * bsize > neededSpace;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (reason) {
    return (reason as NodeJS.ErrnoException).code === 'EPERM';
  }
}
