import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Incidents, held requests, and what decides who may answer (P9, P10). An incident outlives its device. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create table incidents (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  device uuid not null,
  device_name text not null,
  opened timestamptz not null,
  opener text not null,
  what text,
  last_opener timestamptz not null,
  over timestamptz,
  asked_how timestamptz,
  had_plan boolean not null default false
);

create index incidents_account on incidents (account, opened);

create index incidents_device on incidents (device, opened);

create table incident_events (
  incident uuid not null references incidents on delete cascade,
  time timestamptz not null,
  kind text not null check (kind in ('opened', 'reopened', 'on_it', 'mine', 'over', 'over_asked', 'how')),
  person uuid,
  name text,
  what text
);

create index incident_events_incident on incident_events (incident, time);

create table incident_steps (
  incident uuid not null references incidents on delete cascade,
  step text not null,
  person uuid not null,
  name text not null,
  time timestamptz not null,
  primary key (incident, step)
);

create table held_requests (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  incident uuid references incidents on delete cascade,
  device uuid,
  device_name text,
  call_mac bytea not null,
  activities jsonb not null,
  time timestamptz not null,
  rule text not null check (rule in ('hour', 'day')),
  cause text not null check (cause in ('incident', 'second_act', 'ask_first')),
  done timestamptz,
  done_activities jsonb,
  undone timestamptz,
  lifted timestamptz
);

create index held_requests_account on held_requests (account, time);

create index held_requests_incident on held_requests (incident);

create table request_answers (
  request uuid not null references held_requests on delete cascade,
  person uuid not null,
  answer text not null check (answer in ('yes', 'no')),
  name text not null,
  time timestamptz not null,
  primary key (request, person, answer)
);

create table hold_settings (
  account uuid primary key references accounts on delete cascade,
  ask_first boolean not null default false,
  first_connected timestamptz,
  guardian_gone timestamptz
);

insert into hold_settings (account, first_connected)
  select account, min(installed) from devices where installed is not null group by account;

create table device_networks (
  device uuid not null references devices on delete cascade,
  network_hash bytea not null,
  seen timestamptz not null,
  primary key (device, network_hash)
);

create index device_networks_seen on device_networks (seen);

create table answer_codes (
  person uuid primary key,
  phone_number text not null,
  code_hash bytea not null,
  expires timestamptz not null,
  tries integer not null default 0
);

alter table activity_log add column counted text;

alter table sessions add column password_time timestamptz;

update sessions set password_time = created;

alter table accounts add column phone_verified_time timestamptz;

alter table guardians add column phone_verified_time timestamptz
`;
