import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Data of the simulators, plans that the payment service unexpectedly does not know, and browsers of guardians. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create table shared_documents (
  name text primary key,
  version integer not null,
  content text not null
);
alter table shared_documents alter column content set storage external;

create table kept_items (
  id text primary key,
  kind text not null,
  content bytea not null
);
create index kept_items_kind on kept_items (kind, id);

create table payment_account (
  only_one boolean primary key default true check (only_one),
  id text not null,
  livemode boolean not null,
  since timestamptz not null
);

create table payment_doubts (
  account uuid primary key references accounts (uuid) on delete cascade,
  since timestamptz not null,
  believed boolean not null default false
);

alter table guardian_sessions add column uuid uuid not null default gen_random_uuid();
alter table guardian_sessions add column browser text not null default '';
alter table guardian_sessions add column last_used timestamptz;
update guardian_sessions set last_used = created;
alter table guardian_sessions alter column last_used set not null, alter column last_used set default now();
create index guardian_sessions_guardian on guardian_sessions (guardian)
`;
