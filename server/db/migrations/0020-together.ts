import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table device_watch add column held timestamptz;
alter table listening add column refused timestamptz;
alter table silences add column early_since timestamptz;
update silences set early_since = since where early
`;
