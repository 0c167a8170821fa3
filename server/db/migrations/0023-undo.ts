import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Columns for undoing: the remote end of a pause, and the state before an activity, unknown for older log entries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table devices add column resume uuid;
alter table acts add column before jsonb
`;
