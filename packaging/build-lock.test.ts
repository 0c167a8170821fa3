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

test('of many builds that find a stale lock at once, one takes it over, whatever else happens meanwhile', async () => {
  for (let round = 0; round < 10; round++) {
    const folder = await temporaryFolder();
    await leftLock(folder, { pid: noProcess });
    const all = await Promise.all(Array.from({ length: 50 }, () => lockBuild(folder)));
    const locks = all.filter((lock) => lock !== null);
    expect(locks).toHaveLength(1);
    await locks[0]?.progress({ step: 2, steps: 8, platform: null });
    expect(await readdir(folder)).toEqual(['building.json']);
  }
});

test('a build that was stopped while it took a lock over keeps out the next ones for minutes, not for ever', async () => {
  const folder = await temporaryFolder();
  await leftLock(folder, { pid: noProcess });
  const takeover = `${lockFile(folder)}.takeover`;
  await writeFile(takeover, '');
  expect(await lockBuild(folder)).toBe(null);
  expect(existsSync(takeover)).toBe(true);
  const touched = new Date(Date.now() - build_stale_ms - 1000);
  await utimes(takeover, touched, touched);
  expect(await lockBuild(folder)).toBe(null);
  const lock = await lockBuild(folder);
  expect(lock).not.toBe(null);
  lock?.release();
  expect(await readdir(folder)).toEqual([]);
});

test('a build whose lock another took over stops at its next step, and does not remove the other lock', async () => {
  const folder = await temporaryFolder();
  const lock = await lockBuild(folder);
  await leftLock(folder, { id: 'other' });
  await expect(lock?.progress({ step: 2, steps: 8, platform: null })).rejects.toThrow('Another build took over');
  lock?.release();
  expect(JSON.parse(await readFile(lockFile(folder), 'utf8'))).toMatchObject({ id: 'other' });
});
