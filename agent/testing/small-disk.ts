import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './agent.ts';

const apart = ['--mount', '--propagation', 'private'];

/** Whether a disk of a test's own can be had here: that takes root on Linux. */
export const smallDiskPossible =
  process.platform === 'linux' && spawnSync('unshare', [...apart, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!smallDiskPossible) console.log('No disk can be made here (it takes root on Linux): the tests on a full disk are skipped.');

export interface SmallDisk {
  /** On the disk, empty; as this process sees it. */
  folder: string;
  /** The same for what is started with `command`. */
  inside: { folder: string; command: string[] };
  /** Takes all the room there is, but so many pages of 4096 bytes; as often as there may be some again. */
  fill(pages?: number): void;
  /** Gives the room back. */
  empty(): void;
}

/** A disk of one megabyte that only this test sees, and that outlives what writes on it; gone when the test is over. */
export async function smallDisk(): Promise<SmallDisk> {
  const place = await temporaryFolder();
  const holder = spawn(
    'unshare',
    [...apart, 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs "$1" && echo there && exec sleep 600', '-', place],
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
