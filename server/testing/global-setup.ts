import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

export const template = 'porchlight_template';
/** One for all tests that keep what they store apart by a name of their own. */
export const common = 'porchlight_common';

/** One PostgreSQL for the whole run: TEST_DATABASE_URL, or the embedded one in a folder of its own; and one migrated database to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await openPostgres();
  // No test asks what survives a power failure: commits need not wait for the disk.
  if (!process.env.TEST_DATABASE_URL) await admin(url, 'alter role current_user set synchronous_commit = off');
  await admin(url, `drop database if exists ${template}`);
  await admin(url, `create database ${template}`);
  const { db, close } = openDb(withDatabase(url, template));
  await migrate(db);
  await close();
  await admin(url, `drop database if exists ${common}`);
  await admin(url, `create database ${common} template ${template}`);
  project.provide('postgres_url', url);
  return stop;
}

async function openPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-test-'));
  const server = await startEmbedded({ folder: join(folder, 'postgres'), log: () => {} });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The same server, another database. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

export async function admin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
