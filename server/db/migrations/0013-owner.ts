import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** What a computer says after it has changed hands. Each policy is signed anew, since it now says whose account it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table devices add column strict_until timestamptz, add column leaves timestamptz;
update devices set policy_version = policy_version + 1
`;
