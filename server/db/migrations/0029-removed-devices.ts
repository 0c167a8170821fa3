import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** The account of a removed device and the time of its removal, so that its agent can still check the Admin PIN for a day (P10.9). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table device_tokens add column account uuid references accounts on delete set null;

alter table device_tokens add column removed timestamptz;

create index device_tokens_account on device_tokens (account) where account is not null
`;
