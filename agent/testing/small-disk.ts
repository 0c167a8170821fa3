import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './agent.ts';
import { until } from './until.ts';

const page = 4096;
const unshareOptions = ['--mount', '--propagation', 'private'];

/** Creating a disk needs root on Linux. */
export const smallDiskPossible =
  process.platform === 'linux' && spawnSync('unshare', [...unshareOptions, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!smallDiskPossible) console.log('No disk can be made here (it takes root on Linux): the tests on a full disk are skipped.');

export interface SmallDisk {
  folder: string;
  inside: { folder: string; command: string[] };
  /**
   * Fills the disk up to this many free pages of 4096 bytes; can be called repeatedly. No file is being replaced then, but what an agent still
   * removes frees its pages: a test waits for that before.
   */
  fill(pages?: number): Promise<void>;
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
    async fill(pages = 0) {
      // A file that takes the place of another one frees the pages of that, so it would leave room on the disk after this.
      await until('no file to be half written', () => {
        fillUp(ballast);
        return !hasHalfWritten(folder) && fillUp(ballast) === 0;
      });
      truncateSync(ballast, statSync(ballast).size - pages * page);
    },
    empty: () => rmSync(ballast),
  };
}

/** Returns how many pages were free. */
function fillUp(ballast: string): number {
  const file = openSync(ballast, 'a');
  try {
    for (let pages = 0; ; pages++) {
      try {
        writeSync(file, Buffer.alloc(page));
      } catch (err) {
        if ((err as NodeJS.ErrnoException).code !== 'ENOSPC') throw err;
        return pages;
      }
    }
  } finally {
    closeSync(file);
  }
}

/** An empty one has no page: it is what was begun on the full disk. */
const hasHalfWritten = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(
    (name) => name.endsWith('.tmp') && (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
