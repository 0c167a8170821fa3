import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './agent.ts';

const unshareOptions = ['--mount', '--propagation', 'private'];

/** Creating a disk needs root on Linux. */
export const smallDiskPossible =
  process.platform === 'linux' && spawnSync('unshare', [...unshareOptions, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!smallDiskPossible) console.log('No disk can be made here (it takes root on Linux): the tests on a full disk are skipped.');

export interface SmallDisk {
  folder: string;
  inside: { folder: string; command: string[] };
  /** Fills the disk up to this many free pages of 4096 bytes; can be called repeatedly. */
  fill(pages?: number): void;
  empty(): void;
}

/** A disk of one megabyte that only this test sees; it survives the processes that use it, and is removed after the test. */
export async function smallDisk(): Promise<SmallDisk> {
  const place = await temporaryFolder();
  const holder = spawn(
    'unshare',
    [...unshareOptions, 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs "$1" && echo there && exec sleep 600', '-', place],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  const disk = join('/proc', String(holder.pid), 'root', place);
  const folder = join(disk, 'data');
  mkdirSync(folder);
  const ballast = join(disk, 'ballast');
  return {
    folder,
    inside: { folder: join(place, 'data'), command: ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`] },
    fill(pages = 0) {
      const file = openSync(ballast, 'a');
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch (err) {
        if ((err as NodeJS.ErrnoException).code !== 'ENOSPC') throw err;
      } finally {
        closeSync(file);
      }
      truncateSync(ballast, statSync(ballast).size - pages * 4096);
    },
    empty: () => rmSync(ballast),
  };
}
