import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create table exceptions (
  id uuid primary key,
  device uuid not null references devices on delete cascade,
  type text not null check (type in ('domain', 'definition')),
  identifier text not null,
  added timestamptz not null,
  until timestamptz
);
create unique index exceptions_identifier on exceptions (device, type, lower(identifier));

create table custom_policies (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  name text not null,
  actions jsonb not null,
  created timestamptz not null
);
create unique index custom_policies_name on custom_policies (account, lower(name));

create table free_downloads (
  email text not null,
  agreed timestamptz not null
);
create unique index free_downloads_email on free_downloads (lower(email))
`;
