// Tier: whole. It starts and kills databases.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shortenLog } from './embedded/log-size.ts';
import { readProcess } from './embedded/processes.ts';
import { startEmbedded } from './embedded/start.ts';

let folder = '';
const children: ChildProcess[] = [];
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-'));
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function start(dataFolder = folder) {
  const embedded = await startEmbedded({ folder: dataFolder, log: () => {} });
  stops.push(embedded.stop);
  return embedded;
}

async function query<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

function startElsewhere(): ChildProcess {
  const entry = fileURLToPath(new URL('./embedded/start.ts', import.meta.url));
  const code = `const { startEmbedded } = await import(${JSON.stringify(entry)});
    await startEmbedded({ folder: ${JSON.stringify(folder)}, log() {} }); console.log('up'); setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) return text.trim();
  }
  return text;
}

test('the first start creates a database, and the next start finds its rows', async () => {
  const firstStart = await start();
  expect(firstStart.adopted).toBe(false);
  await query(firstStart.url, 'create table t (n int); insert into t values (7)');
  await firstStart.stop();
  const secondStart = await start();
  expect(secondStart.adopted).toBe(false);
  expect(await query(secondStart.url, 'select n from t')).toEqual([{ n: 7 }]);
  const [row] = await query<Record<string, string>>(
    secondStart.url,
    `select current_user::text as role, current_database()::text as db, current_setting('server_encoding') as enc,
       (select datcollate from pg_database where datname = current_database()) as collation,
       current_setting('fsync') as fsync, current_setting('listen_addresses') as listens`,
  );
  expect(row).toEqual({ role: 'porchlight', db: 'porchlight', enc: 'UTF8', collation: 'C', fsync: 'on', listens: '' });
});

test('stopping the embedded database leaves no process, no socket and no lock', async () => {
  const started = await start();
  const socketFolder = new URL(started.url).searchParams.get('host') ?? '';
  const pid = await postmasterPid();
  await started.stop();
  // A zombie has ended; only its parent has not noticed yet.
  const left = await readProcess(pid);
  expect(left === null || left.zombie).toBe(true);
  await expect(stat(socketFolder)).rejects.toThrow(/ENOENT/);
  expect(await readdir(folder)).toEqual(['cluster', 'postgres.log']);
});

test('acknowledged rows survive kill -9 of the database, five times in a row', async () => {
  let acknowledged = 0;
  let started = await start();
  await query(started.url, 'create table t (n int primary key)');
  for (let round = 0; round < 5; round++) {
    const client = new pg.Client({ connectionString: started.url });
    client.on('error', () => {});
    await client.connect();
    const pid = await postmasterPid();
    setTimeout(() => process.kill(pid, 'SIGKILL'), 30 + round * 25);
    try {
      for (;;) {
        await client.query('insert into t values ($1)', [acknowledged + 1]);
        acknowledged += 1;
      }
    } catch {}
    await client.end().catch(() => {});
    started = await start();
    expect(started.adopted).toBe(false);
    const [row] = await query<{ acknowledgedRows: number; last: number }>(
      started.url,
      `select count(*) filter (where n <= ${acknowledged})::int as "acknowledgedRows", coalesce(max(n), 0)::int as last from t`,
    );
    expect(row?.acknowledgedRows).toBe(acknowledged);
    acknowledged = row?.last ?? 0;
  }
  expect(acknowledged).toBeGreaterThan(20);
});

test('a database that outlived its killed server is used by the next server, with its rows', async () => {
  const child = startElsewhere();
  expect(await firstLine(child)).toBe('up');
  const pid = await postmasterPid();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const started = await start();
  expect(started.adopted).toBe(true);
  expect(await postmasterPid()).toBe(pid);
  await query(started.url, 'create table t (n int)');
});

test('a second process cannot start the database while the first process is alive, and the first keeps running', async () => {
  const child = startElsewhere();
  expect(await firstLine(child)).toBe('up');
  await expect(start()).rejects.toThrow(/already running on .* \(process \d+\)/);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await start()).adopted).toBe(true);
});

test('when a process dies while it creates the database, the next start creates it', async () => {
  for (const delay of [80, 150, 220, 300, 400]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    const child = startElsewhere();
    await new Promise((resolve) => setTimeout(resolve, delay));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const started = await start();
    expect(await query(started.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await started.stop();
    expect((await readdir(folder)).filter((name) => name.startsWith('cluster.'))).toEqual([]);
  }
}, 120_000);

test('a database of another major version of PostgreSQL is refused and not changed', async () => {
  await (await start()).stop();
  const file = join(folder, 'cluster', 'PG_VERSION');
  await writeFile(file, '15\n');
  await expect(start()).rejects.toThrow(/left untouched: it was made by PostgreSQL 15 and this is PostgreSQL 18/);
  expect(await readFile(file, 'utf8')).toBe('15\n');
});

test('a folder with other files than a database is refused and not changed', async () => {
  await mkdir(join(folder, 'cluster'));
  await writeFile(join(folder, 'cluster', 'letters.txt'), 'dear diary');
  await expect(start()).rejects.toThrow(/no PG_VERSION/);
  expect(await readFile(join(folder, 'cluster', 'letters.txt'), 'utf8')).toBe('dear diary');
});

test('a folder too deep for a socket path works, and only our user may enter its socket folder', async () => {
  const started = await start(join(folder, 'a'.repeat(120), 'b c'));
  const socketFolder = new URL(started.url).searchParams.get('host') ?? '';
  expect(Buffer.byteLength(socketFolder)).toBeLessThan(90);
  expect((await stat(socketFolder)).mode & 0o777).toBe(0o700);
});

test('a stale postmaster.pid whose process id now belongs to another program does not prevent the start', async () => {
  await (await start()).stop();
  await writeFile(join(folder, 'cluster', 'postmaster.pid'), `${process.ppid}\n${folder}\n0\n5432\n/nowhere\n\n0 0\nready\n`);
  const started = await start();
  expect(started.adopted).toBe(false);
});

test('values that users typed do not reach the log', async () => {
  const started = await start();
  await query(started.url, "create table t (mail text unique); insert into t values ('rose@example.org')");
  await expect(query(started.url, "insert into t values ('rose@example.org')")).rejects.toThrow(/duplicate key/);
  await expect(query(started.url, "select 'rose'::uuid")).rejects.toThrow(/invalid input syntax for type uuid: "rose"/);
  await query(started.url, `do $$ begin raise warning 'rose is here'; end $$`);
  await started.stop();
  const log = await readFile(join(folder, 'postgres.log'), 'utf8');
  expect(log).not.toContain('rose');
  expect(log).toContain('database system is ready');
});

test('the log of a running PostgreSQL is shortened at its size, and goes on in the same file with the rest beside it', async () => {
  const started = await start();
  const file = join(folder, 'postgres.log');
  await shortenLog(file);
  expect(await readFile(file, 'utf8')).toContain('database system is ready');
  await appendFile(file, 'x'.repeat(4_000_001));
  await shortenLog(file);
  expect((await stat(file)).size).toBe(0);
  expect(await readFile(`${file}.old`, 'utf8')).toContain('database system is ready');
  await started.stop();
  expect(await readFile(file, 'utf8')).toContain('shut down');
});
