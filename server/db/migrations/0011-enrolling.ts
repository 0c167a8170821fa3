import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** By which attempt a device was enrolled, until its agent is heard: whoever lost the answer is answered again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table devices add column enrol_id uuid
`;
