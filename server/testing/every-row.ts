import { sql } from 'kysely';
import type { TestServer } from './world.ts';

export interface RowText {
  name: string;
  row: string;
}

/** Every row of every table but `without`, by the table's name. By one statement: there are a hundred tables, and some tests read them for each call. */
export async function everyRow(
  { db }: Pick<TestServer, 'db'>,
  { without = [], leftOut = [] }: { without?: string[]; leftOut?: string[] } = {},
): Promise<RowText[]> {
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  const selects = tables.rows
    .filter(({ name }) => !without.includes(name))
    .map(
      ({ name }) =>
        sql`select ${sql.lit(name)} as name, (to_jsonb(t) - ${sql.val(leftOut)}::text[])::text as row from ${sql.table(name)} t`,
    );
  return (await sql<RowText>`${sql.join(selects, sql` union all `)}`.execute(db)).rows;
}
