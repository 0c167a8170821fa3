import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { day } from '@porchlight/contract/time.ts';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { fakeSystem } from '../testing/fake-os.ts';
import { openQuarantine } from './quarantine.ts';

const whose = { identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' } as const;

async function putAway(wall: number) {
  const parentFolder = await temporaryFolder();
  const [folder, sourceFolder] = [join(parentFolder, 'quarantine'), join(parentFolder, 'Downloads')];
  await mkdir(sourceFolder);
  const path = join(sourceFolder, 'AnyDesk');
  await writeFile(path, '\x7fELF bad');
  const at = { wall, up: 60_000, boot: 'first' };
  const open = () => openQuarantine(folder, fakeSystem(), () => ({ ...at }));
  const quarantine = await open();
  expect(await quarantine.takeFile({ path }, whose)).toMatchObject({ done: true });
  const isThere = async () => {
    const now = await open();
    await now.deleteOld();
    return (await now.quarantined()).length === 1;
  };
  const passes = (ms: number) => {
    at.wall += ms;
    at.up += ms;
  };
  return { folder, at, isThere, passes };
}

it('a file quarantined under a wrong clock is deleted 30 days after the clock is corrected', async () => {
  const { at, isThere, passes, folder } = await putAway(Date.parse('2000-01-01T00:00:00Z'));
  at.wall = Date.parse('2026-11-21T00:00:00Z');
  expect(await isThere()).toBe(true);
  passes(30 * day - 1);
  expect(await isThere()).toBe(true);
  passes(1);
  expect(await isThere()).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});

it('clock changes neither shorten nor stretch the 30 days of quarantine', async () => {
  const { at, isThere, passes } = await putAway(Date.parse('2026-11-21T00:00:00Z'));
  for (const [by, boot] of [
    [365 * day, 'second'],
    [-800 * day, 'third'],
    [40 * day, 'third'],
  ] as const) {
    passes(5 * day);
    expect(await isThere()).toBe(true);
    at.wall += by;
    if (at.boot !== boot) at.up = 0;
    at.boot = boot;
    expect(await isThere()).toBe(true);
  }
  passes(15 * day - 1);
  expect(await isThere()).toBe(true);
  passes(1);
  expect(await isThere()).toBe(false);
});
