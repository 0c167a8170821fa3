import { existsSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { build_stale_ms, type RunningBuild } from '@porchlight/contract/installer-build.ts';
import { expect, test } from 'vitest';
import { lockBuild } from './build-lock.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const noProcess = 2 ** 22 + 1;
const lockFile = (folder: string) => join(folder, 'building.json');

async function leftLock(folder: string, change: Partial<RunningBuild>, untouchedMs = 0): Promise<void> {
  const lock = { id: 'left', pid: process.pid, host: hostname(), step: 1, steps: 8, platform: null, ...change };
  await writeFile(lockFile(folder), JSON.stringify(lock));
  const touched = new Date(Date.now() - untouchedMs);
  await utimes(lockFile(folder), touched, touched);
}

test('of many builds that begin at once in one folder, one gets the lock; the next gets it after the release', async () => {
  const folder = join(await temporaryFolder(), 'installers');
  const locks = (await Promise.all(Array.from({ length: 20 }, () => lockBuild(folder)))).filter((lock) => lock !== null);
  expect(locks).toHaveLength(1);
  await locks[0]?.progress({ step: 3, steps: 8, platform: 'macos' });
  expect(JSON.parse(await readFile(lockFile(folder), 'utf8'))).toMatchObject({ pid: process.pid, step: 3, steps: 8, platform: 'macos' });
  expect(await lockBuild(folder)).toBe(null);
  locks[0]?.release();
  expect(await readdir(folder)).toEqual([]);
  const next = await lockBuild(folder);
  expect(next).not.toBe(null);
  next?.release();
});

test.each([
  ['whose process has ended', { pid: noProcess }, 0, true],
  ['whose process runs', {}, build_stale_ms - 10_000, false],
  ['on another computer, written a moment ago', { host: 'elsewhere', pid: noProcess }, 0, false],
  ['that was not touched for minutes', { host: 'elsewhere' }, build_stale_ms + 1000, true],
])('the lock of a build %s: whether the next build takes it over', async (_name, change, untouchedMs, expected) => {
  const folder = await temporaryFolder();
  await leftLock(folder, change, untouchedMs);
  const locks = (await Promise.all(Array.from({ length: 5 }, () => lockBuild(folder)))).filter((lock) => lock !== null);
  expect(locks).toHaveLength(expected ? 1 : 0);
  expect(await readdir(folder)).toEqual(['building.json']);
  locks[0]?.release();
  expect(existsSync(lockFile(folder))).toBe(!expected);
});

test('a build whose lock another took over stops at its next step, and does not remove the other lock', async () => {
  const folder = await temporaryFolder();
  const lock = await lockBuild(folder);
  await leftLock(folder, { id: 'other' });
  await expect(lock?.progress({ step: 2, steps: 8, platform: null })).rejects.toThrow('Another build took over');
  lock?.release();
  expect(JSON.parse(await readFile(lockFile(folder), 'utf8'))).toMatchObject({ id: 'other' });
});
