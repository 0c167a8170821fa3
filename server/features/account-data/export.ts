import { setImmediate as otherCallsFirst } from 'node:timers/promises';
import { sql } from 'kysely';
import { type AccountTable, accountTables } from '../../db/account-data.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { AccountKeys } from '../../db/owned-rows.ts';
import type { Clock } from '../../lib/clock.ts';

export type ExportedRow = Record<string, unknown>;

export interface ExportHead {
  format: 'porchlight-account';
  format_version: 1;
  /** The newest migration of the database, which says what the columns are. */
  schema: string;
  /** ISO 8601, as all times. */
  exported: string;
  account: AccountKeys;
}

/** Everything that the service stores about an account. `format_version` changes whenever a reader of the file has to. */
export interface AccountExport extends ExportHead {
  /** The rows of each table that has some, under the columns' names; the oldest first. */
  tables: Record<string, ExportedRow[]>;
  /** The columns that are not here, by table: secrets, and what guardians entered for themselves. */
  left_out: Record<string, string[]>;
}

/** Makes a file while the rows are read, since all of them together may need more memory than a server has. */
export interface ExportWriter {
  begin(head: ExportHead): void;
  /** Some rows of a table, at least one; those of a table come one after the other. */
  add(table: string, rows: ExportedRow[]): void;
  /** The whole file. */
  end(): string;
}

/** Rows are sorted by the first of these columns that a table has. */
const timeColumns = ['time', 'created', 'received', 'since', 'opened', 'invited', 'added'];
/** Rows that are read at once. Other calls run in between. */
const batch = 1000;

/** Null if there is no such account. All tables are read as of one moment. `begin`: runs first in that transaction, which only reads. */
export const accountExport = (db: Db, clock: Clock) => (uuid: string, writers: ExportWriter[], begin?: (trx: Trx) => Promise<unknown>) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx): Promise<ExportHead | null> => {
      await begin?.(trx);
      const account = await trx.selectFrom('accounts').select(['uuid', 'email']).where('uuid', '=', uuid).executeTakeFirst();
      if (!account) return null;
      const exported = clock.now().toISOString();
      const head: ExportHead = { format: 'porchlight-account', format_version: 1, schema: await newestMigration(trx), exported, account };
      for (const writer of writers) writer.begin(head);
      // The account itself first, which is deleted last.
      for (const table of accountTables.toReversed()) {
        for await (const rows of rowsOf(trx, table, account)) for (const writer of writers) writer.add(table.name, rows);
      }
      return head;
    });

/** The columns that no file has, by table. */
export const leftOut = (): AccountExport['left_out'] =>
  Object.fromEntries(
    accountTables
      .map(({ name, secret = [], guardians_own = [] }) => [name, [...secret, ...guardians_own]])
      .filter(([, left]) => left?.length),
  );

async function* rowsOf(trx: Trx, { name, shown, owned }: AccountTable, account: AccountKeys): AsyncGenerator<ExportedRow[]> {
  const order = timeColumns.find((column) => shown.includes(column)) ?? shown[0] ?? '';
  const columns = sql.join(shown.map((column) => sql.ref(column)));
  await sql`declare exported no scroll cursor for
    select ${columns} from ${sql.table(name)} where ${owned(account)} order by ${sql.ref(order)}`.execute(trx);
  for (;;) {
    const { rows } = await sql<ExportedRow>`fetch ${sql.lit(batch)} from exported`.execute(trx);
    if (rows.length) yield rows;
    if (rows.length < batch) break;
    await otherCallsFirst();
  }
  await sql`close exported`.execute(trx);
}

async function newestMigration(trx: Trx): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`.execute(trx);
  return rows[0]?.name ?? '';
}
