import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { hour, minute } from '@porchlight/contract/time.ts';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { readFirstStart } from './first-start.ts';
import { openStore } from './store.ts';

const noon = Date.parse('2026-11-22T12:00:00Z');

async function start(folder: string, now: number) {
  const errors: unknown[] = [];
  const firstStart = await readFirstStart(await openStore(folder), now, (err) => void errors.push(err));
  expect(errors).toEqual([]);
  return firstStart;
}

describe('the time of the first start', () => {
  it('the time of the first start stays the same after restarts', async () => {
    const folder = await temporaryFolder();
    const first = await start(folder, noon);
    expect([first.isNow, first.before()]).toEqual([true, noon - minute]);
    const second = await start(folder, noon + hour);
    expect([second.isNow, second.before()]).toEqual([false, noon - minute]);
  });

  it('a state without the time of its first start was first used when its key was created', async () => {
    const folder = await temporaryFolder();
    await openStore(folder);
    await utimes(join(folder, 'state.key'), noon / 1000, noon / 1000);
    const updated = await start(folder, noon + hour);
    expect([updated.isNow, updated.before()]).toEqual([false, noon - minute]);
  });

  it('a clock that was before the first start makes its time unknown, also after a restart with the right clock', async () => {
    const folder = await temporaryFolder();
    const first = await start(folder, noon);
    first.checkClock(noon - minute);
    expect(first.before()).toBe(noon - minute);
    const setBack = await start(folder, noon - hour);
    expect(setBack.before()).toBeNull();
    await expect.poll(async () => (await (await openStore(folder)).firstStart())?.before).toBeNull();
    expect((await start(folder, noon + hour)).before()).toBeNull();
  });

  it('a clock set back while the agent runs makes the time unknown at once', async () => {
    const first = await start(await temporaryFolder(), noon);
    first.checkClock(noon - hour);
    expect(first.before()).toBeNull();
    first.checkClock(noon + hour);
    expect(first.before()).toBeNull();
  });
});
