import { once } from 'node:events';
import { counted } from '@porchlight/contract/language.ts';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrate } from '../db/migrate.ts';
import { mismatchOf } from '../db/migrations.ts';
import { type Db, openDb } from '../db/open.ts';
import { checkSchema } from '../db/schema.ts';
import { quoted } from './backup-tables.ts';
import { loaderName, refuseIfUsedSince, refuseWhileInUse, writesSoFar } from './database-use.ts';
import { BackupFailure, type BackupHeader, BadBackup } from './file-format.ts';
import { noteBackup } from './note-backup.ts';
import { readBackup } from './read-backup.ts';

const busy =
  'Something has kept the tables of this database busy for ten seconds. Nothing was restored, and everything is as it was. Stop whatever uses this database, and restore again.';

/** By the codes of PostgreSQL. */
const sentences: Record<string, string> = {
  // disk_full
  '53100': 'The disk of the database is full, so nothing was restored and everything is as it was. Make room, and restore again.',
  // lock_not_available, deadlock_detected
  '55P03': busy,
  '40P01': busy,
};

/** The rows are read into tables of this schema, which nobody sees, until they take the place of the others in one transaction. */
const workSchema = 'porchlight_restore';

interface Restore {
  path: string;
  header: BackupHeader;
  database_url: string;
  /** Permits that rows of this database are replaced. */
  replace: boolean;
  /** Publishes for the agents that what they know is newer than the backup (P14.1). */
  raiseEpoch: (db: Db) => Promise<unknown>;
}

export interface Restored {
  rows: number;
  /** What Porchlight did not make, such as `the column accounts.note`: an operator had added it. */
  left_out: string[];
}

/**
 * Puts the rows of a backup in the place of a database's own, whole or not at all: until the last transaction the database stays as it was, whatever
 * ends this process. A backup of an earlier version is migrated. Throws `BackupFailure`.
 */
export async function restoreBackup({ path, header, database_url, replace, raiseEpoch }: Restore): Promise<Restored> {
  refuseUnknownMigrations(path, header);
  const client = await connected(database_url);
  try {
    const writes = await writesSoFar(client);
    await refuseWhileInUse(client, database_url);
    await refuseToReplace(client, replace);
    await client.query(`drop schema if exists ${workSchema} cascade`);
    await client.query(`create schema ${workSchema}`);
    try {
      const restored = await fillWorkSchema({ path, header, database_url, raiseEpoch });
      await swap(client, () => refuseIfUsedSince(client, database_url, writes));
      return restored;
    } catch (reason) {
      await client.query(`drop schema if exists ${workSchema} cascade`).catch(() => {});
      const sentence = sentences[(reason as { code?: string }).code ?? ''];
      throw sentence === undefined ? reason : new BackupFailure(sentence);
    }
  } finally {
    await client.end().catch(() => {});
  }
}

function refuseUnknownMigrations(path: string, { migrations, program }: BackupHeader): void {
  const mismatch = mismatchOf(migrations);
  if (!mismatch) return;
  const reason = {
    before_1_0: `${path} was written by a Porchlight from before 1.0, and no later version can use its tables. It cannot be restored.`,
    edited: `${path} was written by Porchlight ${program}, with tables by another text of ${mismatch.files.join(', ')} than this version has. Restore it with the Porchlight that wrote it.`,
    newer: `${path} was written by Porchlight ${program}, whose tables this version does not know. Restore it with that version or a newer one.`,
  };
  throw new BadBackup(reason[mismatch.kind]);
}

async function refuseToReplace(client: pg.Client, replace: boolean): Promise<void> {
  const { rows } = await client.query<{ accounts: string | null; ours: string | null; tables: number }>(
    `select to_regclass('accounts') as accounts, to_regclass('kysely_migration') as ours,
       (select count(*)::integer from pg_tables where schemaname = current_schema()) as tables`,
  );
  const found = rows[0];
  if (found?.tables && !found.ours) {
    throw new BackupFailure(
      'This database has tables of another program. Porchlight needs a database of its own: create one, and name it in DATABASE_URL.',
    );
  }
  if (!found?.accounts || replace) return;
  const accounts = (await client.query<{ count: number }>('select count(*)::integer as count from accounts')).rows[0]?.count ?? 0;
  if (accounts) {
    throw new BackupFailure(
      `This database has ${counted(accounts, 'account')}, and a restore takes their place for good. Make a backup of it first, then restore with --replace.`,
    );
  }
}

async function fillWorkSchema({
  path,
  header,
  database_url,
  raiseEpoch,
}: Pick<Restore, 'path' | 'header' | 'database_url' | 'raiseEpoch'>): Promise<Restored> {
  const url = inWorkSchema(database_url);
  const { db, close } = openDb(url, 2);
  try {
    await migrate(db, { until: header.migrations.at(-1), schema: workSchema });
    const loader = await connected(url);
    let restored: Restored;
    try {
      restored = await load(loader, path);
    } finally {
      await loader.end().catch(() => {});
    }
    await migrate(db, { schema: workSchema });
    await checkSchema(db);
    await raiseEpoch(db);
    // In the file is the backup before it.
    await noteBackup(db, new Date(header.created));
    return restored;
  } finally {
    await close();
  }
}

/** Loads all rows in one transaction. Those of the backup replace rows that a migration has made. */
async function load(client: pg.Client, path: string): Promise<Restored> {
  const left_out: string[] = [];
  let total = 0;
  const counts: Record<string, number> = {};
  await client.query('begin');
  await client.query("set local datestyle to 'ISO, YMD'");
  await readBackup(path, {
    async header({ migrations }) {
      const { rows } = await client.query<{ tables: string }>(
        `select string_agg(format('%I', tablename), ', ') as tables from pg_tables
         where schemaname = current_schema() and tablename not like 'kysely\\_migration%'`,
      );
      if (migrations.length && rows[0]?.tables) await client.query(`truncate ${rows[0].tables}`);
    },
    async table({ table, columns }, rows) {
      const { rows: ours } = await client.query<{ name: string }>(
        'select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped',
        [`"${table}"`],
      );
      if (!ours.length) {
        left_out.push(`the table ${table}`);
        for await (const _chunk of rows);
        return;
      }
      const added = columns.filter((column) => !ours.some(({ name }) => name === column));
      for (const column of added) await client.query(`alter table "${table}" add column "${column}" text`);
      const copy = client.query(copyFrom(`copy "${table}" (${quoted(columns)}) from stdin`));
      // Errors of PostgreSQL reach the stream, and reject what waits for it.
      const finished = once(copy, 'finish');
      finished.catch(() => {});
      for await (const chunk of rows) if (!copy.write(chunk)) await Promise.race([once(copy, 'drain'), finished]);
      copy.end();
      await finished;
      for (const column of added) await client.query(`alter table "${table}" drop column "${column}"`);
      left_out.push(...added.map((column) => `the column ${table}.${column}`));
      counts[table] = copy.rowCount;
      total += copy.rowCount;
    },
    async end({ rows, numbers }) {
      for (const [table, expected] of Object.entries(rows)) {
        if (counts[table] !== expected && !left_out.includes(`the table ${table}`))
          throw new BackupFailure(`Of ${expected} rows of ${table} ${counts[table] ?? 0} were read. Nothing was restored.`);
      }
      for (const [name, last] of Object.entries(numbers)) {
        const [table = '', column = ''] = name.split('.');
        if (table in counts && !left_out.includes(`the column ${name}`))
          await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [table, column, last]);
      }
    },
  });
  await client.query('commit');
  return { rows: total, left_out };
}

/**
 * The database is Porchlight's own, so all tables of this user give way, also those of a newer version. The question
 * about servers is repeated once the tables are locked: earlier connections are found, and later ones wait, and then have the restored tables. No
 * statement under these locks reads rows, so how long they last depends on the number of tables, not of rows.
 */
async function swap(client: pg.Client, refuseIfUsed: () => Promise<void>): Promise<void> {
  const target = (await client.query<{ schema: string }>('select quote_ident(current_schema()) as schema')).rows[0]?.schema;
  const texts = async (text: string, values: unknown[] = []) =>
    (await client.query<{ text: string }>(text, values)).rows.map((row) => row.text);
  // A server that runs should not wait for the locks of a restore that then refuses.
  await refuseIfUsed();
  await client.query('begin');
  await client.query("set local lock_timeout to '10s'");
  try {
    // A table that somebody makes from now on stays; if it has the name of a restored one, the restore fails.
    const tables = await texts(
      `select c.oid::regclass as text from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relowner = current_user::regrole
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') order by c.relname`,
    );
    const functions = await texts(
      `select p.oid::regprocedure as text from pg_proc p
       where p.pronamespace = current_schema()::regnamespace and p.proowner = current_user::regrole
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    );
    if (tables.length) await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
    await refuseIfUsed();
    const moveNew = await texts(
      `select format('alter table %I.%I set schema ${target}', n.nspname, c.relname) as text
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r'
       union all
       select format('alter function %s set schema ${target}', p.oid::regprocedure)
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = $1`,
      [workSchema],
    );
    for (const table of tables) await client.query(`drop table if exists ${table} cascade`);
    for (const one of functions) await client.query(`drop function if exists ${one} cascade`);
    for (const statement of moveNew) await client.query(statement);
    // Fails if anything was left behind.
    await client.query(`drop schema ${workSchema}`);
    await client.query('commit');
  } catch (reason) {
    await client.query('rollback').catch(() => {});
    throw reason;
  }
  await client.query('analyze');
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'porchlight restore' });
  // A lost connection also rejects the running statement.
  client.on('error', () => {});
  await client.connect();
  return client;
}

function inWorkSchema(url: string): string {
  const address = new URL(url);
  const options = address.searchParams.get('options');
  address.searchParams.set('options', `${options ? `${options} ` : ''}-c search_path=${workSchema}`);
  address.searchParams.set('application_name', loaderName);
  // PostgreSQL reads %20 as a space, and + as a plus.
  return address.href.replaceAll('+', '%20');
}
