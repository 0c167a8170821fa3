import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Who uses a computer (P8.1); null until it is set. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table devices add column person jsonb;
alter table devices add column person_set timestamptz
`;
