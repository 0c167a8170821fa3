import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** The signed feed: which keys are good, the parts that a set names, and the lists of sites that are fetched. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// Sets of before have no parts: they are of no use to an agent any more, but their versions stay used.
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
