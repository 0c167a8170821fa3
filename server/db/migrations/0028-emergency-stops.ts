import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Emergency stops, network isolation, and one-time codes (P9.5, P10.6, P10.7). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create table emergency_stops (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  device uuid references devices on delete cascade,
  kind text not null check (kind in ('guardian_stop', 'help')),
  person uuid,
  name text not null,
  time timestamptz not null,
  until timestamptz not null,
  ended timestamptz
);

create index emergency_stops_account on emergency_stops (account, time);

create table network_isolations (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  device uuid not null references devices on delete cascade,
  person uuid not null,
  name text not null,
  time timestamptz not null,
  until timestamptz not null,
  may_end boolean not null,
  ended timestamptz
);

create index network_isolations_device on network_isolations (device, time);

create index network_isolations_account on network_isolations (account);

alter table guardians add column may_isolate boolean;

create table code_secrets (
  device uuid primary key references devices on delete cascade,
  id uuid not null,
  sealed_secret text not null
);

create table one_time_codes (
  device uuid not null references devices on delete cascade,
  purpose text not null,
  program text not null,
  time_window integer not null,
  number integer not null,
  guardian uuid not null,
  time timestamptz not null,
  primary key (device, purpose, program, time_window, number)
);

create index one_time_codes_time on one_time_codes (time);

alter table incident_events drop constraint incident_events_kind_check;

alter table incident_events add constraint incident_events_kind_check check (kind in
  ('opened', 'reopened', 'on_it', 'mine', 'over', 'over_asked', 'how', 'stop', 'isolated', 'reconnected', 'code_shown'))
`;
