import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// The hash is valid only while `sealed_pin` is the account's PIN.
const statements = `
create table device_pins (
  device uuid primary key references devices on delete cascade,
  sealed_pin text not null,
  hash jsonb not null
);

create table device_news (
  device uuid not null references devices on delete cascade,
  uuid uuid not null,
  time timestamptz not null,
  primary key (device, uuid)
)
`;
