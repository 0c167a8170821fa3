import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { admin, withDatabase } from '../testing/global-setup.ts';
import { migrate } from './migrate.ts';
import { migrationFiles, migrationIds, mismatchOf, sha256OfMigration } from './migrations.ts';
import { type Db, openDb } from './open.ts';

async function inNewDatabase(run: (db: Db) => Promise<void>): Promise<void> {
  const baseUrl = inject('postgres_url');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await admin(baseUrl, `create database ${name}`);
  const { db, close } = openDb(withDatabase(baseUrl, name));
  try {
    await run(db);
  } finally {
    await close();
    await admin(baseUrl, `drop database ${name}`);
  }
}

/** The names of the tables, and what ran here. */
async function stateOf(db: Db) {
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(db);
  const { rows: ran } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return { tables: tables.map(({ name }) => name), ran: ran.map(({ name }) => name) };
}

test('each file of a migration has the hash that this version names, and no other file is there', () => {
  const folder = join(import.meta.dirname, 'migrations');
  const hashes = readdirSync(folder).map((name) => [name, sha256OfMigration(readFileSync(join(folder, name), 'utf8'))]);
  const change = 'Databases have run this file: leave it as it was, and change the tables in a new file with the next number.';
  expect(Object.fromEntries(hashes), change).toEqual(
    Object.fromEntries(Object.entries(migrationFiles).map(([file, sha256]) => [`${file}.sql`, sha256])),
  );
  expect(sha256OfMigration('create table a ();\r\n')).toBe(sha256OfMigration('create table a ();\n'));
});

test('a second start of the same version changes nothing', () =>
  inNewDatabase(async (db) => {
    await migrate(db);
    const state = await stateOf(db);
    expect(state.ran).toEqual(migrationIds);
    await migrate(db);
    expect(await stateOf(db)).toEqual(state);
  }));

/** The names of what versions before 1.0 ran. */
const oldNames = Array.from({ length: 37 }, (_, index) => `${String(index + 1).padStart(4, '0')}-${index ? 'later' : 'first'}`);

test.each<[string, string[], RegExp]>([
  ['the first version before 1.0', oldNames.slice(0, 1), /is from before Porchlight 1\.0.* Begin with a new one/],
  ['the last version before 1.0', oldNames, /is from before Porchlight 1\.0.* Begin with a new one/],
  ['an edited first migration', ['0001-first 0123456789abcdef'], /by another text of 0001-first .* restore a backup/],
  [
    'a newer version',
    [...migrationIds, '9998-a 0123456789abcdef', '9999-b 0123456789abcdef'],
    /newer Porchlight .*\(9998-a, 9999-b\).* Install the newer version/,
  ],
])('a database of %s is refused in words and stays as it is', (_, ran, words) =>
  inNewDatabase(async (db) => {
    await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
    await sql`create table accounts (email text)`.execute(db);
    for (const name of ran) await sql`insert into kysely_migration values (${name}, now())`.execute(db);
    const state = await stateOf(db);
    await expect(migrate(db)).rejects.toThrow(words);
    expect(await stateOf(db)).toEqual(state);
  }),
);

test('a database with tables of another program is refused and stays as it is; a table of another name does no harm', () =>
  inNewDatabase(async (db) => {
    await sql`create table notes (line text)`.execute(db);
    await sql`create table accounts (email text)`.execute(db);
    await expect(migrate(db)).rejects.toThrow('tables of another program');
    await sql`drop table accounts`.execute(db);
    await migrate(db);
    expect((await stateOf(db)).tables).toContain('notes');
  }));

test('each state of a database from before 1.0 is recognized, and each of this version and earlier ones is accepted', () => {
  for (const n of oldNames.keys())
    expect(mismatchOf(oldNames.slice(0, n + 1))).toEqual({ kind: 'before_1_0', files: oldNames.slice(0, n + 1) });
  const known = ['0001-first aa', '0002-second bb', '0003-third cc'];
  for (const n of [0, 1, 2, 3]) expect(mismatchOf(known.slice(0, n), known)).toBeNull();
  expect(mismatchOf(['0001-first aa', '0002-second xx', '0004-fourth dd'], known)).toEqual({ kind: 'edited', files: ['0002-second'] });
});
