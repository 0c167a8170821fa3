import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MountedDisk {
  folder: string;
  /** Leaves less than a megabyte free. */
  fill(): Promise<void>;
  free(): Promise<void>;
  unmount(): Promise<void>;
}

/** Mounts a disk in memory, which needs root. A sentence where that is not possible. */
export async function mountDisk(megabytes: number): Promise<MountedDisk | string> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status !== 0) {
    await rmdir(folder);
    return 'A disk of its own can be mounted only by root, on Linux.';
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill() {
      const megabyte = Buffer.alloc(1024 * 1024);
      const file = await open(filler, 'w');
      try {
        for (;;) await file.write(megabyte);
      } catch (reason) {
        if ((reason as NodeJS.ErrnoException).code !== 'ENOSPC') throw reason;
      } finally {
        await file.close();
      }
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize > megabyte.length) throw new Error(`${bavail * bsize} bytes are still free.`);
    },
    free: () => rm(filler, { force: true }),
    async unmount() {
      spawnSync('umount', [folder]);
      await rmdir(folder);
    },
  };
}
