import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// `due` is postponed whenever a device calls, so that the check of each minute reads only silent devices.
const statements = `
create table device_watch (
  device uuid primary key references devices on delete cascade,
  due timestamptz not null,
  says_sleep boolean not null
);
create index device_watch_due on device_watch (due);

create table listening (
  one boolean primary key default true check (one),
  looked timestamptz not null,
  since timestamptz not null,
  deaf boolean not null
);

create table offline_spells (
  device uuid not null references devices on delete cascade,
  ended timestamptz not null,
  primary key (device, ended)
);
create index offline_spells_ended on offline_spells (ended);

alter table silences add column early boolean not null default false;

create index detections_received on detections (received);
create index acts_received on acts (received)
`;
