import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** What the gate needs to know of a device before it counts as somebody else's, and what it must not take for the names of before (P18). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table devices add column days_seen integer not null default 0;

update devices set days_seen = 3 where last_seen is not null;

alter table devices add column unknown_to uuid;

alter table activity_log add column exempt boolean not null default false;

alter table incident_steps add column from_account boolean not null default false;

alter table incident_steps drop constraint incident_steps_pkey;

alter table incident_steps add primary key (incident, step, from_account);

create table renames (
  kind text not null check (kind in ('device', 'profile', 'holder')),
  id uuid not null,
  account uuid not null references accounts on delete cascade,
  before text not null,
  after text not null,
  time timestamptz not null,
  primary key (kind, id)
);

create index renames_account on renames (account);

create index renames_time on renames (time);

create table unreadable_callers (
  only_one boolean primary key default true check (only_one),
  header text not null,
  time timestamptz not null
);
`;
