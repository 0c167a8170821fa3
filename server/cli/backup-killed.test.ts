// Tier: whole. It kills commands as processes.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { startEmbedded } from '../db/embedded/start.ts';
import { migrate } from '../db/migrate.ts';
import { openDb } from '../db/open.ts';
import { porchlight, porchlightProcess, startPorchlight, untilItWaits } from '../testing/command.ts';
import { admin, withDatabase } from '../testing/global-setup.ts';
import { rowHashes } from '../testing/row-hashes.ts';
import { until } from '../testing/world.ts';

const SECRET_KEY = 'a secret key for tests, thirty-two characters';

let folder = '';
let url = '';
let name = '';
const closers: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'porchlight-killed-'));
  name = `test_${randomBytes(6).toString('hex')}`;
  await admin(inject('postgres_url'), `create database ${name}`);
  url = withDatabase(inject('postgres_url'), name);
  const { db, close } = openDb(url, 1);
  await migrate(db);
  await db.insertInto('rate_counts').values({ key: 'of the backup', count: 1, ends: new Date() }).execute();
  await close();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await admin(inject('postgres_url'), `drop database ${name} with (force)`);
  await rm(folder, { recursive: true, force: true });
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  closers.push(() => client.end());
  return client;
}

const env = () => ({ DATABASE_URL: url, DATA_DIR: join(folder, 'data'), SECRET_KEY });
const backups = () => join(folder, 'backups');
const backup = () => porchlight(['backup', '--to', backups(), '--without-keys'], env());

/** Starts a command, waits until PostgreSQL makes it wait for `table`, and ends it as a crash does. */
async function killWhileWaiting(args: string[], table: string, lock: string, commandEnv: Record<string, string> = env()): Promise<void> {
  const client = await connect();
  await client.query('begin');
  await client.query(`lock table ${table} in ${lock} mode`);
  const { child, result } = startPorchlight(args, commandEnv);
  closers.push(async () => void child.kill('SIGKILL'));
  const observer = await connect();
  await untilItWaits(result, observer, table);
  child.kill('SIGKILL');
  await result;
  await client.query('rollback');
  await until('its connections to end', async () => {
    const { rows } = await observer.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'porchlight%'`,
    );
    return rows.length === 0;
  });
}

test('[P14.1] a backup that is killed in the middle leaves no backup, and the next one is whole', async () => {
  await killWhileWaiting(['backup', '--to', backups(), '--without-keys'], 'rate_counts', 'access exclusive');
  expect((await readdir(backups())).filter((one) => one.endsWith('.backup'))).toEqual([]);
  expect(await backup()).toMatchObject({ code: 0, err: '' });
  const [made] = (await readdir(backups())).filter((one) => one.endsWith('.backup'));
  expect((await porchlight(['backup', 'check', join(backups(), made ?? '')], env())).code).toBe(0);
});

test('[P14.1] a restore that is killed just before the tables change places changes nothing, and works when it is repeated', async () => {
  await backup();
  const client = await connect();
  await client.query(`update rate_counts set key = 'since then'`);
  // Otherwise PostgreSQL counts this write up to ten seconds later, and the restore refuses as if it came meanwhile.
  await client.query('select pg_stat_force_next_flush()');
  const before = await rowHashes(url, { all: true });
  await killWhileWaiting(['restore', backups(), '--replace'], 'rate_counts', 'access share');
  expect(await rowHashes(url, { all: true })).toEqual(before);

  expect(await porchlight(['restore', backups(), '--replace'], env())).toMatchObject({ code: 0, err: '' });
  expect((await client.query('select key from rate_counts')).rows).toEqual([{ key: 'of the backup' }]);
  expect((await client.query(`select nspname from pg_namespace where nspname = 'porchlight_restore'`)).rows).toEqual([]);
});

test('[P14.1] a restore that is killed before the tables change places leaves the earlier key, and the next one places that of the backup', async () => {
  await writeFile(join(folder, 'passphrase'), 'five random words in a file');
  const args = ['--passphrase-file', join(folder, 'passphrase')];
  await porchlight(['backup', '--to', backups(), ...args], env());
  const withoutSetting = { DATABASE_URL: url, DATA_DIR: join(folder, 'data') };
  await mkdir(withoutSetting.DATA_DIR);
  const keyFile = join(withoutSetting.DATA_DIR, 'secret.key');
  await writeFile(keyFile, 'k'.repeat(43));

  await killWhileWaiting(['restore', backups(), '--replace', ...args], 'rate_counts', 'access share', withoutSetting);
  expect(await readFile(keyFile, 'utf8')).toBe('k'.repeat(43));

  expect(await porchlight(['restore', backups(), '--replace', ...args], withoutSetting)).toMatchObject({ code: 0, err: '' });
  expect(await readFile(keyFile, 'utf8')).toBe(SECRET_KEY);
});

test('[P14.1] a backup of one PostgreSQL is restored into the embedded one, and back, while nothing else runs there', async () => {
  await backup();
  const dataDir = join(folder, 'embedded');
  const embedded = (...args: string[]) => porchlightProcess(args, { DATA_DIR: dataDir, SECRET_KEY });
  expect(await embedded('restore', backups())).toMatchObject({ code: 0, err: '' });
  const { url: embeddedUrl, stop } = await startEmbedded({ folder: join(dataDir, 'postgres'), log: () => {} });
  closers.push(stop);
  expect(await rowHashes(embeddedUrl)).toEqual(await rowHashes(url));

  expect(await embedded('backup', '--to', join(folder, 'back'), '--without-keys')).toMatchObject({ code: 0, err: '' });
  const before = await rowHashes(url);
  const client = await connect();
  await client.query('delete from rate_counts');
  expect(await porchlight(['restore', join(folder, 'back'), '--replace'], env())).toMatchObject({ code: 0, err: '' });
  expect(await rowHashes(url)).toEqual(before);
});
