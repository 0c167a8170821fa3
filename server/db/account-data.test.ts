import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/world.ts';
import { accountData, accountTables } from './account-data.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Kysely's table of the migrations that have run. */
const migrationTables = ['kysely_migration', 'kysely_migration_lock'];

/** `table.column` of the migrated database. */
async function columnsOfDatabase(): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public'`.execute(server.db);
  return rows.filter(({ table }) => !migrationTables.includes(table)).map(({ table, column }) => `${table}.${column}`);
}

const listedColumns = () =>
  accountTables.flatMap(({ name, shown, secret = [], guardians_own = [] }) =>
    [...shown, ...secret, ...guardians_own].map((column) => `${name}.${column}`),
  );

test('each table of the database has an entry that says whose rows it has, and each column of an account’s table is in exactly one list', async () => {
  const columns = await columnsOfDatabase();
  const tables = new Set(columns.map((column) => column.split('.')[0] ?? ''));
  expect(Object.keys(accountData).toSorted()).toEqual([...tables].toSorted());
  const nobodys = Object.keys(accountData).filter((name) => !accountTables.some((table) => table.name === name));
  expect(listedColumns().toSorted()).toEqual(columns.filter((column) => !nobodys.includes(column.split('.')[0] ?? '')).toSorted());
});

test('no column whose name speaks of a secret is exported', () => {
  const exported = accountTables.flatMap(({ name, shown }) => shown.map((column) => `${name}.${column}`));
  expect(exported.filter((column) => /\.(.*(hash|sealed|token|secret|nonce|payload|password_hash).*|code|.*_mac)$/.test(column))).toEqual(
    [],
  );
  expect(exported).toContain('devices.name');
});

test('each foreign key to an account or to a row of an account is in a table with an entry for accounts', async () => {
  const { rows } = await sql<{ table: string }>`
    select distinct conrelid::regclass::text as "table" from pg_constraint
    where contype = 'f' and confrelid::regclass::text in (${sql.join(accountTables.map(({ name }) => name))})`.execute(server.db);
  const names: string[] = accountTables.map(({ name }) => name);
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.map(({ table }) => table).filter((table) => !names.includes(table))).toEqual([]);
});
