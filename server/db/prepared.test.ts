import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { admin, commonDatabase, withDatabase } from '../testing/global-setup.ts';
import { openDb } from './open.ts';
import { canBePrepared } from './prepared.ts';
import { openServerDb } from './traffic.ts';

const url = withDatabase(inject('postgres_url'), commonDatabase);
/** More often than a statement is sent without a name. */
const often = 12;

/** A table with one row, and connections that have prepared a statement on it. `max`: connections. */
async function preparedOn(max: number) {
  const name = `prepared_${randomBytes(6).toString('hex')}`;
  await admin(url, `create table ${name} (n integer not null, unread text)`);
  await admin(url, `insert into ${name} values (7)`);
  const { db, close } = openDb(url, max);
  onTestFinished(async () => {
    await close();
    await admin(url, `drop table ${name}`);
  });
  const read = async (on = db) => (await sql<{ n: number }>`select n from ${sql.table(name)} where n <> ${-1}`.execute(on)).rows[0]?.n;
  // Together, so that each connection takes part.
  for (let count = 0; count < often; count++) await Promise.all(Array.from({ length: max }, () => read()));
  /** Statements that the connection has prepared. */
  const names = async (on = db) =>
    (await sql<{ name: string }>`select name from pg_prepared_statements where statement like ${`%${name}%`}`.execute(on)).rows.map(
      (row) => row.name,
    );
  const changeType = (type: string) => admin(url, `alter table ${name} alter column n type ${type}`);
  return { db, name, read, names, changeType };
}

test('a statement that is sent often is prepared once on its connection, and its next values count', async () => {
  const { db, name, names } = await preparedOn(1);
  expect(await names()).toHaveLength(1);
  await sql`insert into ${sql.table(name)} values (8)`.execute(db);
  const found = await sql`select n from ${sql.table(name)} where n <> ${7}`.execute(db);
  expect(found.rows).toEqual([{ n: 8 }]);
  expect(await names()).toHaveLength(1);
});

test('the connections of a server prepare statements', async () => {
  const { db, close } = openServerDb(url, { shared: 1, urgent: 1, background: 1 }, Date.now);
  onTestFinished(close);
  for (let count = 0; count < often; count++) await sql`select ${count}::int as prepared_by_server`.execute(db);
  const { rows } = await sql`select 1 from pg_prepared_statements where statement like '%prepared_by_server'`.execute(db);
  expect(rows).toHaveLength(1);
});

test.each(['bigint', 'text'])(
  'after a column became %s, each connection answers the next statement, and prepares it again',
  async (type) => {
    const { read, names, changeType } = await preparedOn(3);
    await changeType(type);
    expect(await Promise.all([read(), read(), read()])).toEqual(['7', '7', '7']);
    for (let count = 0; count < 3; count++) expect(await read()).toBe('7');
    expect(await names()).toHaveLength(1);
    await changeType('integer using n::integer');
    expect(await Promise.all([read(), read(), read()])).toEqual([7, 7, 7]);
  },
);

test.each([
  ['bigint', '0A000'],
  ['text', '42883'],
])('after a column became %s, one transaction at most fails, and all of it is rolled back', async (type, code) => {
  const { db, name, read, changeType } = await preparedOn(2);
  await changeType(type);
  const change = () =>
    db.transaction().execute(async (trx) => {
      await sql`update ${sql.table(name)} set unread = ${'written'}`.execute(trx);
      return read(trx);
    });
  await expect(change()).rejects.toMatchObject({ code });
  expect((await sql`select unread from ${sql.table(name)}`.execute(db)).rows).toEqual([{ unread: null }]);
  expect(await Promise.all([change(), change(), change()])).toEqual(['7', '7', '7']);
});

test('a new column changes nothing for a prepared statement, and appears in a statement of all columns', async () => {
  const { db, name, read, names } = await preparedOn(1);
  const all = async () => (await sql`select * from ${sql.table(name)}`.execute(db)).rows;
  for (let count = 0; count < often; count++) await all();
  expect(await names()).toHaveLength(1);
  await admin(url, `alter table ${name} add column added integer default 1`);
  expect(await all()).toEqual([{ n: 7, unread: null, added: 1 }]);
  expect(await read()).toBe(7);
});

test('a connection that lost its prepared statements, as behind a pooler that gave it to another process, still answers', async () => {
  const { db, read } = await preparedOn(1);
  await sql`deallocate all`.execute(db);
  expect(await read()).toBe(7);
  expect(await read()).toBe(7);
});

test('a connection that changes a table sends its later statements without a name until its release', async () => {
  const { db, name, read } = await preparedOn(1);
  await db.transaction().execute(async (trx) => {
    await sql`alter table ${sql.table(name)} alter column n type text`.execute(trx);
    expect(await read(trx)).toBe('7');
  });
  expect(await read()).toBe('7');
});

test('an error of a prepared statement is thrown, and the statement is sent once', async () => {
  const { db, name } = await preparedOn(1);
  const divide = async (by: number) =>
    (await sql<{ n: number }>`select n / ${by}::int as n from ${sql.table(name)}`.execute(db)).rows[0]?.n;
  for (let count = 0; count < often; count++) expect(await divide(1)).toBe(7);
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  expect(await divide(7)).toBe(1);
});

test('lists of many lengths are not prepared, and a list that is sent often is', async () => {
  const { db, name, names } = await preparedOn(1);
  const among = (length: number) =>
    sql`select n from ${sql.table(name)} where n in (${sql.join(Array.from({ length }, (_, n) => n))})`.execute(db);
  for (let length = 1; length < 400; length++) await among(length);
  expect(await names()).toHaveLength(1);
  for (let count = 0; count < often; count++) await among(5);
  expect(await names()).toHaveLength(2);
});

test('the number of prepared statements is limited', async () => {
  const { db, close } = openDb(url, 1);
  onTestFinished(close);
  for (let text = 0; text < 260; text++) {
    for (let count = 0; count < often; count++) await sql`select ${count}::int as ${sql.ref(`limited_${text}`)}`.execute(db);
  }
  const { rows } = await sql<{ count: string }>`select count(*) from pg_prepared_statements`.execute(db);
  expect(Number(rows[0]?.count)).toBe(250);
});

test.each([
  ['select n from t', true],
  ['select count(*) as count, n * 2 from t', true],
  ['with one as (select 1 as n) update t set n = one.n from one returning t.n', true],
  ['insert into t (n) values ($1)', true],
  ['select * from t', false],
  ['select n, * from t', false],
  ['select "t".*, n from t', false],
  ['select distinct on (n) * from t', false],
  ['insert into t (n) values ($1) returning *', false],
  ['begin', false],
  ['alter table t add column m integer', false],
  ['explain select n from t', false],
  ['notify changes', false],
])('the statement «%s» can be prepared: %s', (text, expected) => {
  expect(canBePrepared(text)).toBe(expected);
});
