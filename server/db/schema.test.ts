import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/world.ts';
import { checkSchema, expectedSchema, readSchema, schemaDifferences, schemaText } from './schema.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.close());

test('schema.txt has what a fresh database has', async () => {
  const text = schemaText(await readSchema(server.db));
  expect(text).toMatch(/^table accounts$/m);
  // After a new migration: npx vitest run server/db/schema.test.ts -u
  await expect(text).toMatchFileSnapshot('./schema.txt');
});

test('the text of a schema is read as it was written', () => {
  const schema = expectedSchema();
  expect(schema.size).toBeGreaterThan(700);
  expect(schema.get('column accounts.email')).toBe('text not null');
  expect(schemaDifferences(schema)).toEqual({ missing: [], changed: [], added: [] });
});

/** Runs the statement in a transaction that is undone. */
async function afterwards<T>(statement: string, read: (db: typeof server.db) => Promise<T>): Promise<T> {
  let result: { value: T } | { error: unknown } | undefined;
  const undone = new Error('undone');
  await server.db
    .transaction()
    .execute(async (trx) => {
      await sql.raw(statement).execute(trx);
      result = await read(trx).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      throw undone;
    })
    .catch((reason: unknown) => {
      if (reason !== undone) throw reason;
    });
  if (!result) throw new Error('nothing was read');
  if ('error' in result) throw result.error;
  return result.value;
}

test.each([
  [
    'alter table accounts drop column phone_number cascade',
    'the column accounts.phone_number is missing, the index accounts.accounts_phone is missing',
  ],
  ['alter table accounts alter column name drop not null', 'the column accounts.name is another one'],
  ['alter table accounts alter column name type varchar(10)', 'the column accounts.name is another one'],
  ['drop index accounts_email', 'the index accounts.accounts_email is missing'],
  ['drop index accounts_email; create index accounts_email on accounts (email)', 'the index accounts.accounts_email is another one'],
  ['alter table devices drop constraint devices_account_fkey', 'the constraint devices.devices_account_fkey is missing'],
  [
    'alter table alert_settings drop constraint alert_settings_check, add constraint alert_settings_check check (mail)',
    'the constraint alert_settings.alert_settings_check is another one',
  ],
  ["update pg_index set indisvalid = false where indexrelid = 'accounts_email'::regclass", 'the index accounts.accounts_email is missing'],
  ['drop table scans', 'the table scans is missing.'],
  ['drop table scans, passkeys, renames, calls, buckets, budgets', ', and 1 more. Something else'],
])('a database after %s is refused, and what differs is named', async (statement, named) => {
  await expect(afterwards(statement, checkSchema)).rejects.toThrow(named);
});

test.each([
  ['create index of_the_operator on accounts (created)', 'the index accounts.of_the_operator.'],
  ['alter table accounts add column note text', 'the column accounts.note.'],
  ['create table notes (line text primary key)', 'the table notes.'],
])('a database after %s is used, with a warning that names it', async (statement, named) => {
  expect(await afterwards(statement, checkSchema)).toContain(`has what Porchlight did not make: ${named}`);
});

test('a fresh database has neither an error nor a warning', async () => {
  expect(await checkSchema(server.db)).toBeNull();
});
