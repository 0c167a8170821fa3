import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// An acknowledgement is history: it outlives its guardian, with their name at the time.
const statements = `
alter table guardians
  add column declined timestamptz,
  add column left_at timestamptz,
  add column mail boolean not null default true,
  add column sms boolean not null default true,
  add column phone_number text,
  add column phone_number_verified boolean not null default false;
create index guardians_phone on guardians (phone_number);
create index guardians_address on guardians (lower(email));

create table guardian_phone_codes (
  guardian uuid primary key references guardians on delete cascade,
  phone_number text not null,
  code_hash bytea not null,
  expires timestamptz not null,
  tries integer not null default 0
);

create table guardian_looks (
  guardian uuid not null references guardians on delete cascade,
  time timestamptz not null,
  primary key (guardian, time)
);

create table alerts_seen (
  account uuid not null references accounts on delete cascade,
  alert uuid not null,
  guardian uuid not null,
  name text not null,
  time timestamptz not null,
  primary key (account, alert, guardian)
)
`;
