import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// Older sets have no parts: agents cannot use them any more, but their version numbers stay taken.
const statements = `
create table feed_keys (
  version integer primary key,
  document jsonb not null,
  expires timestamptz not null
);

create table feed_parts (
  sha256 text primary key,
  bytes bytea not null,
  created timestamptz not null
);

alter table definition_sets add column expires timestamptz;
alter table definition_sets add column catalogue text;
alter table definition_sets add column sites text;

create table site_lists (
  url text primary key,
  etag text,
  last_modified text,
  names bytea,
  count integer not null,
  fetched timestamptz,
  tried timestamptz not null,
  problem text
)
`;
