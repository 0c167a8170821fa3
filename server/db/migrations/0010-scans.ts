import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create table scans (
  uuid uuid not null,
  device uuid not null references devices on delete cascade,
  time timestamptz not null,
  received timestamptz not null,
  items jsonb not null,
  primary key (device, uuid)
)
`;
