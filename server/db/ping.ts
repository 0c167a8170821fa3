import { Socket } from 'node:net';
import pg from 'pg';

/** In milliseconds, for connecting and for the answer. */
const limit = 4_000;
const end_limit = 1_000;
const write = 'begin; create temporary table ping (n integer) on commit drop; insert into ping values (1); commit';
/** PostgreSQL has no free connection, or this user may not make temporary tables. */
const answered = /^(53300|42501)$/;

/**
 * Resolves once PostgreSQL has written something (as a full disk, or a copy that only reads, cannot) on a connection of its own, so that one in a pool that hangs or a busy pool says nothing. Without a
 * free connection PostgreSQL has answered too.
 */
export async function pingDatabase(url: string): Promise<void> {
  const socket = new Socket();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: limit, query_timeout: limit, stream: () => socket });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(write);
  } catch (err) {
    if (!answered.test(String((err as { code?: unknown }).code))) throw err;
  } finally {
    // The end of a connection that hangs may never come.
    const timer = setTimeout(() => socket.destroy(), end_limit);
    client
      .end()
      .catch(() => {})
      .finally(() => {
        clearTimeout(timer);
        socket.destroy();
      });
  }
}
