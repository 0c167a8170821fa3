import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** A guardian's one-click unsubscribe in an incident takes effect after it (P5.5). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table guardians add column mail_ends timestamptz;

create index guardians_mail_ends on guardians (account) where mail_ends is not null
`;
