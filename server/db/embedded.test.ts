import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

async function start(where = folder) {
  const embedded = await startEmbedded({ folder: where, log: () => {} });
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

/** Another process that opens the folder; prints one line when it has it. */
function startElsewhere(): ChildProcess {
  const entry = fileURLToPath(new URL('./embedded/start.ts', import.meta.url));
  const code = `const { startEmbedded } = await import(${JSON.stringify(entry)});
    await startEmbedded({ folder: ${JSON.stringify(folder)}, log() {} }); console.log('up'); setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

async function heard(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) return text.trim();
  }
  return text;
}

test('the first start makes a database, and the next one finds what was in it', async () => {
  const first = await start();
  expect(first.adopted).toBe(false);
  await query(first.url, 'create table t (n int); insert into t values (7)');
  await first.stop();
  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await query(second.url, 'select n from t')).toEqual([{ n: 7 }]);
  const [shown] = await query<Record<string, string>>(
    second.url,
    `select current_user::text as role, current_database()::text as db, current_setting('server_encoding') as enc,
       (select datcollate from pg_database where datname = current_database()) as collation,
       current_setting('fsync') as fsync, current_setting('listen_addresses') as listens`,
  );
  expect(shown).toEqual({ role: 'porchlight', db: 'porchlight', enc: 'UTF8', collation: 'C', fsync: 'on', listens: '' });
});

test('stop leaves no process, no socket and no lock behind', async () => {
  const one = await start();
  const socketFolder = new URL(one.url).searchParams.get('host') ?? '';
  const pid = await postmasterPid();
  await one.stop();
  expect(() => process.kill(pid, 0)).toThrow();
  await expect(stat(socketFolder)).rejects.toThrow(/ENOENT/);
  expect(await readdir(folder)).toEqual(['cluster', 'postgres.log']);
});

test('rows that were acknowledged survive kill -9 of the database, five times over', async () => {
  let acknowledged = 0;
  let one = await start();
  await query(one.url, 'create table t (n int primary key)');
  for (let round = 0; round < 5; round++) {
    const client = new pg.Client({ connectionString: one.url });
    client.on('error', () => {});
    await client.connect();
    const pid = await postmasterPid();
    setTimeout(() => process.kill(pid, 'SIGKILL'), 30 + round * 25);
    try {
      for (;;) {
        await client.query('insert into t values ($1)', [acknowledged + 1]);
        acknowledged += 1;
      }
    } catch {
      // Killed, as planned. The row under way may or may not be there; take the number after it.
    }
    await client.end().catch(() => {});
    one = await start();
    expect(one.adopted).toBe(false);
    const [row] = await query<{ kept: number; last: number }>(
      one.url,
      `select count(*) filter (where n <= ${acknowledged})::int as kept, coalesce(max(n), 0)::int as last from t`,
    );
    expect(row?.kept).toBe(acknowledged);
    acknowledged = row?.last ?? 0;
  }
  expect(acknowledged).toBeGreaterThan(20);
});

test('a database whose server was killed is taken over, with its rows', async () => {
  const child = startElsewhere();
  expect(await heard(child)).toBe('up');
  const pid = await postmasterPid();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const one = await start();
  expect(one.adopted).toBe(true);
  expect(await postmasterPid()).toBe(pid);
  await query(one.url, 'create table t (n int)');
});

test('a second living process is refused, and the first goes on', async () => {
  const child = startElsewhere();
  expect(await heard(child)).toBe('up');
  await expect(start()).rejects.toThrow(/already running on .* \(process \d+\)/);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await start()).adopted).toBe(true);
});

// Ten databases are made, which is slow beside other work.
test('dying while the database is being made leaves nothing to repair', async () => {
  for (const delay of [80, 150, 220, 300, 400]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    const child = startElsewhere();
    await new Promise((resolve) => setTimeout(resolve, delay));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const one = await start();
    expect(await query(one.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await one.stop();
    expect((await readdir(folder)).filter((name) => name.startsWith('cluster.'))).toEqual([]);
  }
}, 120_000);

test('the cluster of another major version is refused and left as it is', async () => {
  await (await start()).stop();
  const file = join(folder, 'cluster', 'PG_VERSION');
  await writeFile(file, '15\n');
  await expect(start()).rejects.toThrow(/left untouched: it was made by PostgreSQL 15 and this is PostgreSQL 18/);
  expect(await readFile(file, 'utf8')).toBe('15\n');
});

test('a folder that is no database is never replaced', async () => {
  await mkdir(join(folder, 'cluster'));
  await writeFile(join(folder, 'cluster', 'letters.txt'), 'dear diary');
  await expect(start()).rejects.toThrow(/no PG_VERSION/);
  expect(await readFile(join(folder, 'cluster', 'letters.txt'), 'utf8')).toBe('dear diary');
});

test('a folder too deep for a socket path works, and its socket is for us alone', async () => {
  const one = await start(join(folder, 'a'.repeat(120), 'b c'));
  const socketFolder = new URL(one.url).searchParams.get('host') ?? '';
  expect(Buffer.byteLength(socketFolder)).toBeLessThan(90);
  expect((await stat(socketFolder)).mode & 0o777).toBe(0o700);
});

test('the note of a dead postmaster whose number another program has now does not block the start', async () => {
  await (await start()).stop();
  await writeFile(join(folder, 'cluster', 'postmaster.pid'), `${process.ppid}\n${folder}\n0\n5432\n/nowhere\n\n0 0\nready\n`);
  const one = await start();
  expect(one.adopted).toBe(false);
});

test('what people typed does not reach the log', async () => {
  const one = await start();
  await query(one.url, "create table t (mail text unique); insert into t values ('rose@example.org')");
  await expect(query(one.url, "insert into t values ('rose@example.org')")).rejects.toThrow(/duplicate key/);
  expect(await readFile(join(folder, 'postgres.log'), 'utf8')).not.toContain('rose@');
});
