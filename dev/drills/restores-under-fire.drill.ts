import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';
import { rowHashes } from '@porchlight/server/testing/row-hashes.ts';
import pg from 'pg';
import { registeredPerson } from '../people.ts';
import { root } from '../root.ts';
import { openTestPostgres } from '../test-postgres.ts';
import { startWorld, type World } from '../world.ts';

export const minutes = 6;

const rounds = 30;

/** Written 50 times a second, a row into each in one transaction; the restored ones are the first rows of these. */
const ledgers = ['buckets', 'rate_counts'];
const writesPerSecond = 50;

/**
 * Backs up a server in use to another PostgreSQL, over and over. Of three rounds the first is undisturbed, in the second the backup is killed once and
 * a broken newer file is put beside it, and in the third the restore is killed. Returns problems, a sentence each.
 */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') return [postgres];
  const world = await startWorld();
  const source = await embeddedUrl(world);
  const writer = startWriter(source);
  const problems: string[] = [];
  try {
    await registeredPerson(world);
    for (let round = 0; round < rounds; round++) {
      const { found, line } = await oneRound(world, { source, target: postgres.url }, round);
      problems.push(...found.map((problem) => `round ${round + 1}: ${problem}`));
      log(`round ${round + 1}: ${line}`);
    }
    log(`${await writer.stop()} writes, the slowest after ${Math.round(writer.slowestMs())} ms`);
  } finally {
    await writer.stop();
    await world.close();
    await postgres.stop();
  }
  return problems;
}

async function oneRound(world: World, { source, target }: { source: string; target: string }, round: number) {
  const found: string[] = [];
  const folder = join(world.dataDir, 'backups');
  const backup = () => command(['backup', '--to', folder, '--without-keys', '--keep', '2'], { DATA_DIR: world.dataDir });
  const restore = () =>
    command(['restore', folder, '--replace'], { DATABASE_URL: target, DATA_DIR: join(world.dataDir, 'other'), SECRET_KEY: key });
  const key = (await readFile(join(world.dataDir, 'secret.key'), 'utf8')).trim();
  await rm(folder, { recursive: true, force: true });

  const sourceBefore = await rowHashes(source);
  if (round % 3 === 1) {
    await killed(backup(), 100 + Math.random() * 900);
    const finished = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.backup'));
    for (const name of finished) await rm(join(folder, name));
  }
  const made = await backup().result;
  if (made.code !== 0) return { found: [`the backup ended with ${made.code}: ${made.output}`], line: 'no backup' };
  const sourceAfter = await rowHashes(source);
  const [newest = ''] = await readdir(folder);
  if (round % 3 === 1) {
    const bytes = await readFile(join(folder, newest));
    await writeFile(join(folder, 'porchlight-2999-01-01T00-00-00Z.backup'), bytes.subarray(0, Math.floor(bytes.length * Math.random())));
  }

  let wasKilled = false;
  if (round % 3 === 2) {
    const before = await rowHashes(target, { all: true });
    wasKilled = await killed(restore(), 300 + Math.random() * 2_500);
    if (wasKilled) {
      const after = await rowHashes(target, { all: true });
      const changed = differences(before, after);
      // The swap may have been committed before the kill; then everything is the backup's.
      if (changed.length && changed.length < 5) found.push(`a killed restore changed only ${changed.join(', ')}`);
    }
  }
  const done = await restore().result;
  if (done.code !== 0) found.push(`the restore ended with ${done.code}: ${done.output}`);

  const restored = await rowHashes(target);
  const quiet = Object.keys(sourceBefore).filter((name) => !ledgers.includes(name) && sourceBefore[name] === sourceAfter[name]);
  const unequal = quiet.filter((name) => restored[name] !== sourceBefore[name]);
  if (unequal.length) found.push(`other rows in ${unequal.join(', ')}`);
  if (quiet.length < 50) found.push(`only ${quiet.length} tables could be compared`);
  const { count, problem } = await ledgerProblem(source, target);
  if (problem) found.push(problem);
  return {
    found,
    line: `${quiet.length} tables equal, and ${count} rows of each ledger${wasKilled ? '; the first restore was killed' : ''}`,
  };
}

const differences = (a: Record<string, string>, b: Record<string, string>) =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);

/** The restored ledgers must be equally long, without a gap, and equal to as many rows of the source. */
async function ledgerProblem(source: string, target: string): Promise<{ count: number; problem: string | null }> {
  const ledgerRows = `select b.level as level, r.count as count from buckets b join rate_counts r on r.key = b.name where b.name like 'write %'`;
  const counted = await withClient(target, (client) => client.query<{ level: number; count: number }>(`${ledgerRows} order by 1`));
  const count = counted.rows.length;
  const alone = await withClient(target, (client) =>
    client.query<{ n: number }>(
      `select ((select count(*) from buckets where name like 'write %') + (select count(*) from rate_counts where key like 'write %'))::integer as n`,
    ),
  );
  if (alone.rows[0]?.n !== 2 * count)
    return { count, problem: `a transaction was cut in two: ${alone.rows[0]?.n} rows for ${count} writes` };
  const prefix = await withClient(source, (client) =>
    client.query<{ level: number; count: number }>(`${ledgerRows} order by 1 limit ${count}`),
  );
  if (JSON.stringify(prefix.rows) !== JSON.stringify(counted.rows)) return { count, problem: 'the ledgers are others than in the source' };
  return { count, problem: count > 0 ? null : 'no row of the ledgers was restored' };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Command {
  child: ChildProcess;
  result: Promise<{ code: number | null; output: string }>;
}

function command(args: string[], env: Record<string, string>): Command {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'server', 'cli', 'main.ts'), ...args], {
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => void (output += String(text)));
  return { child, result: once(child, 'close').then(([code]) => ({ code: code as number | null, output: output.trim() })) };
}

/** Returns whether the command was still running. */
async function killed({ child, result }: Command, afterMs: number): Promise<boolean> {
  await Promise.race([sleep(afterMs), result]);
  child.kill('SIGKILL');
  return (await result).code === null;
}

function startWriter(url: string): { stop(): Promise<number>; slowestMs(): number } {
  let [written, slowest] = [0, 0];
  const end = new AbortController();
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  const work = (async () => {
    await client.connect();
    while (!end.signal.aborted) {
      const startedAt = performance.now();
      const name = `write ${written + 1}`;
      await client.query('begin');
      await client.query('insert into buckets (name, level, time) values ($1, $2, now())', [name, written + 1]);
      await client.query(`insert into rate_counts (key, count, ends) values ($1, $2, now() + interval '1 day')`, [name, written + 1]);
      await client.query('commit');
      written++;
      slowest = Math.max(slowest, performance.now() - startedAt);
      await sleep(Math.max(0, 1000 / writesPerSecond - (performance.now() - startedAt)), undefined, { signal: end.signal }).catch(() => {});
    }
    await client.end();
  })();
  return {
    async stop() {
      end.abort();
      await work;
      return written;
    },
    slowestMs: () => slowest,
  };
}

async function embeddedUrl({ dataDir }: World): Promise<string> {
  const running = await findPostmaster(join(dataDir, 'postgres', 'cluster'));
  if (!running) throw new Error('The embedded PostgreSQL does not run.');
  return urlOf(running.socketFolder);
}
