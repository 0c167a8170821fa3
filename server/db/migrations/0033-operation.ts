import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** What an operator has to know: which call a job came from, problems of the whole service, and the newest backup. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table jobs add column request_id text;

create table operator_problems (
  key text primary key,
  since timestamptz not null,
  notified timestamptz,
  good_since timestamptz,
  facts text not null
);

create table last_backup (
  id integer primary key default 1 check (id = 1),
  made timestamptz not null
)
`;
