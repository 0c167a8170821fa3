import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

export interface OpenDb {
  db: Db;
  close(): Promise<void>;
}

export function openDb(url: string, max = 10): OpenDb {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(url, max) }) });
  return { db, close: () => db.destroy() };
}

/** Opens connections on first use, `max` at most. A call waits at most ten seconds for a connection. */
export function poolOf(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 30_000 });
  // Without a listener, a connection that PostgreSQL closes would end this process. The pool listens to idle connections only.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}
