import { sql } from 'kysely';
import { type AccountTable, accountTables } from '../../db/account-data.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { AccountKeys } from '../../db/owned-rows.ts';
import type { Clock } from '../../lib/clock.ts';

export type ExportedRow = Record<string, unknown>;

/** Everything that the service stores about an account. `format_version` changes whenever a reader of the file has to. */
export interface AccountExport {
  format: 'porchlight-account';
  format_version: 1;
  /** The newest migration of the database, which says what the columns are. */
  schema: string;
  /** ISO 8601, as all times. */
  exported: string;
  account: AccountKeys;
  /** The rows of each table that has some, under the columns' names; the oldest first. */
  tables: Record<string, ExportedRow[]>;
  /** The columns that are not here, by table: secrets, and what guardians entered for themselves. */
  left_out: Record<string, string[]>;
}

/** Rows are sorted by the first of these columns that a table has. */
const timeColumns = ['time', 'created', 'received', 'since', 'opened', 'invited', 'added'];

/** Null if there is no such account. All tables are read as of one moment. `begin`: runs first in that transaction, which only reads. */
export const accountExport = (db: Db, clock: Clock) => (uuid: string, begin?: (trx: Trx) => Promise<unknown>) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx): Promise<AccountExport | null> => {
      await begin?.(trx);
      const account = await trx.selectFrom('accounts').select(['uuid', 'email']).where('uuid', '=', uuid).executeTakeFirst();
      if (!account) return null;
      const tables: AccountExport['tables'] = {};
      // The account itself first, which is deleted last.
      for (const table of accountTables.toReversed()) {
        const rows = await rowsOf(trx, table, account);
        if (rows.length) tables[table.name] = rows;
      }
      return {
        format: 'porchlight-account',
        format_version: 1,
        schema: await newestMigration(trx),
        exported: clock.now().toISOString(),
        account,
        tables,
        left_out: Object.fromEntries(
          accountTables
            .map(({ name, secret = [], guardians_own = [] }) => [name, [...secret, ...guardians_own]])
            .filter(([, left]) => left?.length),
        ),
      };
    });

/** The file for programs. */
export const exportText = (exported: AccountExport): string => `${JSON.stringify(exported, null, 2)}\n`;

async function rowsOf(trx: Trx, { name, shown, owned }: AccountTable, account: AccountKeys): Promise<ExportedRow[]> {
  const order = timeColumns.find((column) => shown.includes(column)) ?? shown[0] ?? '';
  const columns = sql.join(shown.map((column) => sql.ref(column)));
  const statement = sql<ExportedRow>`select ${columns} from ${sql.table(name)} where ${owned(account)} order by ${sql.ref(order)}`;
  return (await statement.execute(trx)).rows;
}

async function newestMigration(trx: Trx): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`.execute(trx);
  return rows[0]?.name ?? '';
}
