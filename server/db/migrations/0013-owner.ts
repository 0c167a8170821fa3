import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** For computers that change owner. Each policy is signed again, because it now names its account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table devices add column strict_until timestamptz, add column leaves timestamptz;
update devices set policy_version = policy_version + 1
`;
