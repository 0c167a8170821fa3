import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** What is needed to take back what weakened protection: the end of a pause from afar, and how it was before. Of acts of before that is not known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table devices add column resume uuid;
alter table acts add column before jsonb
`;
