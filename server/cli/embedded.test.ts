// Tier: whole. It starts commands and databases as processes.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPostmaster } from '../db/embedded/postmaster.ts';
import { startEmbedded } from '../db/embedded/start.ts';
import { porchlightProcess } from '../testing/command.ts';

let dataFolder = '';
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'command-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await rm(dataFolder, { recursive: true, force: true });
});

const run = (...args: string[]) => porchlightProcess(args, { DATA_DIR: dataFolder });
const running = () => findPostmaster(join(dataFolder, 'postgres', 'cluster'));

test('a command on an empty data folder creates the tables, and stops the database again', async () => {
  expect(await run('promo', 'create', '--code', 'SPRING', '--percent', '25', '--forever')).toMatchObject({ code: 0, err: '' });
  expect(await running()).toBeNull();
  expect((await run('promo', 'list')).out).toBe('SPRING: 25% off for the life of the subscription, without an end\n');
});

test('commands that create promos at the same time, without a server, run one after the other, and all promos are stored', async () => {
  const codes = ['ONE', 'TWO', 'THREE', 'FOUR'];
  const replies = await Promise.all(codes.map((code) => run('promo', 'create', '--code', code, '--percent', '10', '--forever')));
  expect(replies.map(({ code, err }) => ({ code, err }))).toEqual(codes.map(() => ({ code: 0, err: '' })));
  expect((await run('promo', 'list')).out.trim().split('\n')).toHaveLength(4);
});

test('a command uses a running database, which keeps running afterwards', async () => {
  const { stop } = await startEmbedded({ folder: join(dataFolder, 'postgres'), log: () => {} });
  stops.push(stop);
  const before = await running();
  expect(before).not.toBeNull();
  expect((await run('signup-code', 'create', '--code', 'BANK')).code).toBe(0);
  expect((await run('signup-code', 'list')).out).toMatch(/^BANK: 5 devices/);
  expect(await running()).toEqual(before);
});

test('commands started at the same time run one after the other, and each succeeds', async () => {
  const codes = ['ONE', 'TWO', 'THREE', 'FOUR'];
  const replies = await Promise.all(codes.map((code) => run('signup-code', 'create', '--code', code)));
  expect(replies.map(({ code, err }) => ({ code, err }))).toEqual(codes.map(() => ({ code: 0, err: '' })));
  expect((await run('signup-code', 'list')).out.trim().split('\n')).toHaveLength(4);
  expect(await running()).toBeNull();
});

test('the command doctor starts a stopped database, changes nothing in it, and stops it again; on an empty folder it makes none', async () => {
  const checkOf = async (id: string) => {
    const { checks } = JSON.parse((await run('doctor', '--json')).out) as { checks: { id: string; state: string; text: string }[] };
    return checks.find((check) => check.id === id);
  };
  expect(await checkOf('database.connection')).toMatchObject({
    state: 'unknown',
    text: expect.stringContaining('the first start makes it'),
  });
  expect(await readdir(dataFolder)).toEqual([]);

  expect((await run('signup-code', 'create', '--code', 'BANK')).code).toBe(0);
  expect(await checkOf('database.migrations')).toMatchObject({ state: 'ok' });
  expect(await running()).toBeNull();
  expect((await run('version')).out).toMatch(/\nPostgreSQL \d+\.\d+\.\n.*\nNothing was signed yet, so there is no epoch\.\n$/);
  expect(await running()).toBeNull();
});
