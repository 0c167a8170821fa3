import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// `guardian` has no foreign key, because deliveries outlive guardians. Null for the holder.
const statements = `
create table deliveries (
  key text primary key,
  account uuid not null references accounts on delete cascade,
  kind text not null,
  about text not null,
  guardian uuid,
  name text not null,
  channel text not null,
  state text not null default 'waiting',
  tries integer not null default 0,
  time timestamptz not null,
  why text,
  carrier text
);
create index deliveries_about on deliveries (account, kind, about);
create index deliveries_guardian on deliveries (account, guardian, channel, time);

create table guardian_weekly_offs (
  guardian uuid primary key references guardians on delete cascade,
  since timestamptz not null
)
`;
