import { sql } from 'kysely';
import type { TestServer } from './world.ts';

/** Every row of every table, with the names of columns, to search for what must not be stored. */
export async function databaseText({ db }: Pick<TestServer, 'db'>): Promise<string> {
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  const texts = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(db);
      return rows.map(({ row }) => `${name} ${row}`).join('\n');
    }),
  );
  return texts.join('\n');
}
