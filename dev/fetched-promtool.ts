import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fetchedPromtool, findPromtool } from '@porchlight/packaging/testing/promtool.ts';
import { aptUnpack, hasApt } from './debian.ts';

/** Unpacks promtool into .cache, where none is found. A failure is printed, and its tests are skipped. */
export async function fetchMissingPromtool(): Promise<void> {
  if (findPromtool() || !hasApt()) return;
  console.log("Unpacking promtool of Debian's prometheus into .cache.");
  const folder = dirname(fetchedPromtool);
  await mkdir(folder, { recursive: true });
  const workFolder = await mkdtemp(join(folder, 'unpacking-'));
  try {
    const unpacked = join(workFolder, 'usr', 'bin', 'promtool');
    const works = aptUnpack('prometheus', './usr/bin/promtool', workFolder) && spawnSync(unpacked, ['--version']).status === 0;
    if (works) await rename(unpacked, fetchedPromtool);
    else console.log("No promtool could be unpacked from Debian's prometheus.");
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}
