import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Passkeys, authenticator apps, recovery codes (P13.1), and deletions that can be taken back (P13.2). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The indexes come first: they are built without a lock on what every call reads, accounts and sessions.
  await runAll(db, indexes);
  await runAll(db, tables);
}

// What is deleted with time is found in the order of its age (`db/retention.ts`), and what belongs to an account by it.
const indexes = `
create index detections_account on detections (account);

create index emergency_stops_device on emergency_stops (device);

create index payment_events_customer on payment_events (customer);

create index rate_counts_prefix on rate_counts (key text_pattern_ops);

create index alerts_seen_time on alerts_seen (time);

create index incidents_last_opener on incidents (last_opener);

create index held_requests_alone on held_requests (time) where incident is null;

create index calls_created on calls (created);

create index emergency_stops_until on emergency_stops (until);

create index network_isolations_until on network_isolations (until);

create index fire_drills_time on fire_drills (time);

create index jobs_done_at on jobs (done_at) where done_at is not null;

create index deliveries_age on deliveries (kind, time);

create index device_news_time on device_news (time);

create index scans_received on scans (received);

create index guardian_sessions_created on guardian_sessions (created);

create index payment_events_received on payment_events (received)
`;

// `used_passkey_questions` has no account: an answer to a login names one only once it is verified.
const tables = `
create table passkeys (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text not null default '',
  name text not null,
  created timestamptz not null,
  last_used timestamptz
);

create index passkeys_account on passkeys (account, created);

create table used_passkey_questions (
  question_hash bytea primary key,
  ends timestamptz not null
);

create index used_passkey_questions_ends on used_passkey_questions (ends);

create table authenticators (
  account uuid primary key references accounts on delete cascade,
  sealed_secret text not null,
  created timestamptz not null,
  last_step bigint not null
);

create table recovery_codes (
  account uuid not null references accounts on delete cascade,
  code_hash bytea not null,
  created timestamptz not null,
  primary key (account, code_hash)
);

create table account_deletions (
  account uuid primary key references accounts on delete cascade,
  asked timestamptz not null,
  deletes timestamptz not null
);

create index account_deletions_deletes on account_deletions (deletes);

alter table sessions add column proof text, add column opened_by text;

create index sessions_created on sessions (created)
`;
