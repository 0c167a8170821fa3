import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Threats that are on no list: what a family chooses about them, and what guardians answered about starts that wait (P12.3 to P12.6). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create table unlisted_protection (
  account uuid primary key references accounts on delete cascade,
  pasted_commands boolean not null,
  new_programs text not null check (new_programs in ('count', 'incident', 'always')),
  doors boolean not null,
  money_pages boolean not null,
  money_sites text[] not null,
  money_open text[] not null
);

create table start_answers (
  device uuid not null references devices on delete cascade,
  identifier text not null,
  answer text not null check (answer in ('yes', 'no')),
  until timestamptz not null,
  primary key (device, identifier)
);

-- Null for kinds that nobody counts.
alter table device_news add column kind text;

create index start_answers_until on start_answers (until);

alter table held_requests drop constraint held_requests_cause_check;

alter table held_requests
  add constraint held_requests_cause_check check (cause in ('incident', 'second_act', 'ask_first', 'first_hour', 'asked', 'waiting'));

-- Agents accept the new part of a policy only in a policy of a higher version.
update devices set policy_version = policy_version + 1
`;
