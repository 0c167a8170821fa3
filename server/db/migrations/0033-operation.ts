import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** What an operator has to know: which call a job came from, problems of the whole service, and the newest backup. And how a holder removes a stranger's way to log in. */
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
);

-- The way to log in that a link removes.
alter table email_links add column about uuid;

-- The set-up that an authenticator app came from. Each counts once, also after the app was removed.
alter table authenticators add column setup uuid;

create table used_authenticator_setups (
  setup uuid primary key,
  ends timestamptz not null
);

create index used_authenticator_setups_ends on used_authenticator_setups (ends);

-- The app that was replaced, which the link of the email about the new one brings back.
alter table authenticators
  add column former_secret text,
  add column former_created timestamptz,
  add column former_last_step bigint,
  add column former_setup uuid,
  add column former_until timestamptz
`;
