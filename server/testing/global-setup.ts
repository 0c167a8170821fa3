import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../db/embedded/start.ts';
import { migrate } from '../db/migrate.ts';
import { openDb } from '../db/open.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres_url: string;
  }
}

export const templateDatabase = 'porchlight_template';
/** For all tests that separate their data by unique names. */
export const commonDatabase = 'porchlight_common';

/** One PostgreSQL for the whole run, and one migrated database as a template. */
export default async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const { url, stop } = await openPostgres();
  if (!process.env.TEST_DATABASE_URL) await forgoDurability(url);
  await admin(url, `drop database if exists ${templateDatabase}`);
  await admin(url, `create database ${templateDatabase}`);
  const { db, close } = openDb(withDatabase(url, templateDatabase));
  await migrate(db);
  await close();
  await admin(withDatabase(url, templateDatabase), noteOrderOfJobs);
  await admin(url, `drop database if exists ${commonDatabase}`);
  await admin(url, `create database ${commonDatabase} template ${templateDatabase}`);
  project.provide('postgres_url', url);
  return stop;
}

async function openPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const givenUrl = process.env.TEST_DATABASE_URL;
  if (givenUrl) return { url: givenUrl, stop: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-test-'));
  const server = await startEmbedded({ folder: join(folder, 'postgres'), log: () => {}, max_connections: 500 });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The queue sends several messages at once, so they arrive in any order, and tests stop the clock, so their times are the same. This is in a
 * schema of its own, beside what the server sees.
 */
const noteOrderOfJobs = `
  create schema testing;
  create table testing.queued (nth bigint generated always as identity, job uuid primary key);
  create function testing.note_job() returns trigger language plpgsql as $$
    begin insert into testing.queued (job) values (new.id) on conflict do nothing; return null; end $$;
  create trigger note_job after insert on jobs for each row execute function testing.note_job();`;

/** No test ends this PostgreSQL, so it need not wait for the disk, and its databases are copied as files. */
export async function forgoDurability(url: string): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
    await admin(url, `alter system set ${setting} = off`);
  await admin(url, 'select pg_reload_conf()');
}

export function withDatabase(url: string, name: string): string {
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${name}`;
  return databaseUrl.href;
}

export async function admin<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = await connected(url);
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A PostgreSQL that was just started refuses connections for a moment with 57P03, although its port is open. */
async function connected(url: string): Promise<pg.Client> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (err) {
      if ((err as { code?: string }).code !== '57P03' || Date.now() > deadline) throw err;
      await setTimeout(100);
    }
  }
}
