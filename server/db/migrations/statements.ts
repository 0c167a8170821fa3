import { type Kysely, sql } from 'kysely';

export async function runAll(db: Kysely<unknown>, statements: string): Promise<void> {
  for (const statement of statements.split(';')) {
    if (statement.trim()) await sql.raw(statement).execute(db);
  }
}
