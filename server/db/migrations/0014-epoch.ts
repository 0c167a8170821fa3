import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** The epoch of each list of keys, and how long each device was connected: only one that is in use is given the hash of the PIN. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// Seconds since 1970 once it was raised, so it needs more than 32 bits. A device that was here before has its hash already.
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
