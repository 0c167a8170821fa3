import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Adds connection times, because only devices in use get the hash of the PIN. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// A raised epoch is in seconds since 1970, so it needs more than 32 bits. Existing devices already have the hash.
const statements = `
alter table feed_keys add column epoch bigint not null default 1;

create table device_use (
  device uuid primary key references devices on delete cascade,
  connected_ms integer not null,
  last timestamptz not null
);
insert into device_use
  select uuid, 3600000, last_seen from devices where installed is not null and last_seen is not null
`;
