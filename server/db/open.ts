import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

export interface OpenDb {
  db: Db;
  close(): Promise<void>;
}

/** Opens a pool on a PostgreSQL by URL. `max` connections; a broken idle connection is replaced, never a crash. */
export function openDb(url: string, max = 10): OpenDb {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(url, max) }) });
  return { db, close: () => db.destroy() };
}

/** `max` connections, each made when it is first needed. A call waits ten seconds for one at most. */
export function poolOf(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 30_000 });
  // Without a listener an idle connection that the server closes would end this process; the pool has already dropped it.
  pool.on('error', () => {});
  return pool;
}
