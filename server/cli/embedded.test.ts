import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPostmaster } from '../db/embedded/postmaster.ts';
import { startEmbedded } from '../db/embedded/start.ts';
import { porchlightProcess } from '../testing/command.ts';

/** Without DATABASE_URL: the embedded database of a data folder, whether it runs or not. */

let data = '';
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'command-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await rm(data, { recursive: true, force: true });
});

const run = (...words: string[]) => porchlightProcess(words, { DATA_DIR: data });
const running = () => findPostmaster(join(data, 'postgres', 'cluster'));

test('where nothing was ever started the tables are made first, and the database is stopped again', async () => {
  expect(await run('promo', 'create', '--code', 'SPRING', '--percent', '25', '--forever')).toMatchObject({ code: 0, err: '' });
  expect(await running()).toBeNull();
  expect((await run('promo', 'list')).out).toBe('SPRING: 25% off for the life of the subscription, without an end\n');
});

test('promos made at once, without a server, wait for each other, and none is lost', async () => {
  const codes = ['ONE', 'TWO', 'THREE', 'FOUR'];
  const replies = await Promise.all(codes.map((code) => run('promo', 'create', '--code', code, '--percent', '10', '--forever')));
  expect(replies.map(({ code, err }) => ({ code, err }))).toEqual(codes.map(() => ({ code: 0, err: '' })));
  expect((await run('promo', 'list')).out.trim().split('\n')).toHaveLength(4);
});

test('a database that runs is used as it is and goes on running', async () => {
  const { stop } = await startEmbedded({ folder: join(data, 'postgres'), log: () => {} });
  stops.push(stop);
  const before = await running();
  expect(before).not.toBeNull();
  expect((await run('signup-code', 'create', '--code', 'BANK')).code).toBe(0);
  expect((await run('signup-code', 'list')).out).toMatch(/^BANK: 5 devices/);
  expect(await running()).toEqual(before);
});

test('several at once wait for each other, and each is done', async () => {
  const codes = ['ONE', 'TWO', 'THREE', 'FOUR'];
  const replies = await Promise.all(codes.map((code) => run('signup-code', 'create', '--code', code)));
  expect(replies.map(({ code, err }) => ({ code, err }))).toEqual(codes.map(() => ({ code: 0, err: '' })));
  expect((await run('signup-code', 'list')).out.trim().split('\n')).toHaveLength(4);
  expect(await running()).toBeNull();
});
