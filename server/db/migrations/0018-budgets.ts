import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create table budgets (
  name text not null,
  day text not null,
  spent integer not null,
  told integer not null default 0,
  primary key (name, day)
);

create table buckets (
  name text primary key,
  level double precision not null,
  time timestamptz not null
);

create table code_callers (
  caller text primary key,
  unknown integer not null default 0,
  ready timestamptz,
  ends timestamptz not null
);
create index code_callers_ends on code_callers (ends);

create table known_networks (
  account uuid not null references accounts on delete cascade,
  network_hash bytea not null,
  used timestamptz not null,
  primary key (account, network_hash)
);
create index known_networks_used on known_networks (used);

create index deliveries_texts on deliveries (account, time) where channel = 'sms'
`;
