import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Requests about a program: it was started within an hour of being allowed, or somebody at the computer asked for it (P9.1). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table held_requests drop constraint held_requests_cause_check;

alter table held_requests add constraint held_requests_cause_check check (cause in ('incident', 'second_act', 'ask_first', 'first_hour', 'asked'))
`;
