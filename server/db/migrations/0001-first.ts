import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** The tables of the first release. SQL of PostgreSQL 15 and later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create table server_keys (
  purpose text primary key,
  public_key text not null,
  sealed_private_key text not null
);

create table rate_counts (
  key text primary key,
  count integer not null,
  ends timestamptz not null
);

create table accounts (
  uuid uuid primary key,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  password_hash text not null,
  device_limit integer not null check (device_limit >= 0),
  created timestamptz not null
);
create unique index accounts_email on accounts (lower(email));

create table sessions (
  token_hash bytea primary key,
  uuid uuid not null unique,
  account uuid not null references accounts on delete cascade,
  created timestamptz not null,
  last_used timestamptz not null
);
create index sessions_account on sessions (account);

create table email_links (
  token_hash bytea primary key,
  account uuid not null references accounts on delete cascade,
  purpose text not null,
  email text not null,
  created timestamptz not null,
  expires timestamptz not null,
  used timestamptz
);
create index email_links_account on email_links (account, purpose);

create table devices (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  name text not null,
  policy text not null,
  policy_version integer not null default 1,
  info jsonb,
  created timestamptz not null,
  installed timestamptz,
  last_seen timestamptz,
  last_detection timestamptz,
  protecting boolean not null default true
);
create index devices_account on devices (account, created);

create table device_codes (
  code text primary key,
  device uuid not null references devices on delete cascade,
  nonce text not null,
  created timestamptz not null,
  expires timestamptz not null,
  used timestamptz
);
create index device_codes_device on device_codes (device);

create table device_tokens (
  token_hash bytea primary key,
  device uuid references devices on delete set null,
  created timestamptz not null
);
create index device_tokens_device on device_tokens (device);

create table definition_sets (
  version integer primary key,
  content_hash text not null,
  document jsonb not null,
  issued timestamptz not null
);

create table detections (
  uuid uuid not null,
  device uuid not null references devices on delete cascade,
  account uuid not null references accounts on delete cascade,
  time timestamptz not null,
  received timestamptz not null,
  name text not null,
  identifier text not null,
  category text not null,
  details text not null,
  blocked boolean not null,
  certainty text not null,
  counted_into uuid,
  primary key (device, uuid),
  foreign key (device, counted_into) references detections (device, uuid)
);
create index detections_account on detections (account, time desc) where counted_into is null;
create index detections_alert on detections (device, identifier, time desc) where counted_into is null;
create index detections_counted on detections (device, counted_into) where counted_into is not null;

create table guardians (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  name text not null,
  email text not null,
  key_version integer not null default 1,
  invited timestamptz not null,
  accepted timestamptz
);
create unique index guardians_email on guardians (account, lower(email));

create table guardian_sessions (
  token_hash bytea primary key,
  guardian uuid not null references guardians on delete cascade,
  key_version integer not null,
  created timestamptz not null
);

create table jobs (
  id uuid primary key,
  kind text not null,
  payload jsonb not null,
  unique_key text not null unique,
  run_at timestamptz not null,
  attempts integer not null default 0,
  created timestamptz not null,
  done_at timestamptz,
  failed_at timestamptz,
  last_error text
);
create index jobs_due on jobs (run_at) where done_at is null and failed_at is null
`;
