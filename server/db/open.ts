import { setImmediate } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import pg from 'pg';
import { preparedStatements } from './prepared.ts';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

export interface OpenDb {
  db: Db;
  /** Waits for running statements; later ones are refused. */
  close(): Promise<void>;
}

export function openDb(url: string, max = 10): OpenDb {
  const pool = poolOf(url, max);
  const prepared = preparedStatements();
  const connect = async () => prepared.lease(await pool.connect());
  return withPool({ options: pool.options, Client: pg.Client, connect, end: () => pool.end() });
}

/**
 * A connection that opens while Kysely is destroyed never returns to the pool, and the pool's end waits for it without a limit. So closing
 * waits for such connections first.
 */
export function withPool(pool: PostgresPool): OpenDb {
  const opening = new Set<Promise<unknown>>();
  let closed = false;
  const connect: PostgresPool['connect'] = async () => {
    if (closed) throw new Error('The database has been closed.');
    const connection = pool.connect();
    opening.add(connection);
    return connection.finally(() => opening.delete(connection));
  };
  const { options, Client } = pool;
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { options, Client, connect, end: () => pool.end() } }) });
  return {
    db,
    async close() {
      closed = true;
      await Promise.allSettled(opening);
      // Kysely takes over the opened connections.
      await setImmediate();
      await db.destroy();
    },
  };
}

/** Opens connections on first use, `max` at most. A call waits at most ten seconds for a connection. */
export function poolOf(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    ...{ connectionString: url, max, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 30_000 },
    // A restore recognizes connections of servers by it.
    fallback_application_name: 'porchlight',
  });
  // Without a listener, a connection that PostgreSQL closes would end this process. The pool listens to idle connections only.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}
