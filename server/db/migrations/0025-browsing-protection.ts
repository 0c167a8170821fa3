import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Policies have two new fields, which agents accept only in a policy of a higher version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create table browsing_protection (
  account uuid primary key references accounts on delete cascade,
  browsers boolean not null,
  resolver text not null check (resolver in ('network', 'quad9', 'cloudflare'))
);

update devices set policy_version = policy_version + 1
`;
