import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { admin, commonDatabase, withDatabase } from '../testing/global-setup.ts';
import { type Db, openDb } from './open.ts';
import { openServerDb } from './traffic.ts';

const url = withDatabase(inject('postgres_url'), commonDatabase);
const serverDb = () => openServerDb(url, { shared: 1, urgent: 1, background: 1 }, Date.now);

test.each([
  ['one pool', () => openDb(url, 1)],
  ['the pools of a server', serverDb],
])(
  'a connection of %s that PostgreSQL closes during a transaction fails this transaction; the process and later calls go on',
  async (_, open) => {
    const uncaught: Error[] = [];
    const note = (error: Error) => void uncaught.push(error);
    process.on('uncaughtException', note);
    const { db, close } = open();
    onTestFinished(async () => {
      process.off('uncaughtException', note);
      await close();
    });
    const loseConnection = (trx: Db) =>
      sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx).then(async ({ rows }) => {
        await admin(url, `select pg_terminate_backend(${rows[0]?.pid}, 5000)`);
        await sql`select 1`.execute(trx);
      });
    await expect(db.transaction().execute(loseConnection)).rejects.toThrow();
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    expect(uncaught).toEqual([]);
  },
);

test.each([
  ['one pool', () => openDb(url, 2)],
  ['the pools of a server', () => openServerDb(url, { shared: 1, urgent: 1, background: 2 }, Date.now)],
])('closing %s waits for a statement whose connection is still being opened, and refuses later ones', async (_, open) => {
  const { db, close } = open();
  await sql`select 1`.execute(db);
  // The second one needs a new connection.
  const statements = [1, 2].map((n) => sql<{ n: number }>`select ${n}::int as n`.execute(db).then(({ rows }) => rows[0]?.n));
  const closed = close();
  await expect(sql`select 1`.execute(db)).rejects.toThrow('The database has been closed.');
  expect(await Promise.all(statements)).toEqual([1, 2]);
  await closed;
});
