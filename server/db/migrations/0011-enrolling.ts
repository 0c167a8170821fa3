import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Lets an agent that lost the reply repeat its enrolment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table devices add column enrol_id uuid
`;
