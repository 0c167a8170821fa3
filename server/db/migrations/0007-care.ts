import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// A log entry has names instead of references, so that it outlives what it names.
const statements = `
create table alert_settings (
  account uuid primary key references accounts on delete cascade,
  silence_days integer not null check (silence_days in (1, 3, 7)),
  weekly boolean not null,
  mail boolean not null,
  sms boolean not null,
  check (mail or sms)
);

create table silences (
  device uuid primary key references devices on delete cascade,
  kind text not null,
  since timestamptz not null,
  until timestamptz,
  told timestamptz
);

create table hearing (
  since timestamptz primary key,
  until timestamptz not null
);

create table fire_drills (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  time timestamptz not null
);
create index fire_drills_account on fire_drills (account, time);

create table acts (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  kind text not null,
  device uuid,
  device_name text,
  what text,
  actor text,
  time timestamptz not null,
  told text not null
);
create index acts_account on acts (account, time)
`;
