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
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 30_000 });
  // Without a listener an idle connection that the server closes would end this process; the pool has already dropped it.
  pool.on('error', () => {});
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, close: () => db.destroy() };
}
