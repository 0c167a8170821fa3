import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table accounts
  add column pending_email text,
  add column phone_number text,
  add column phone_number_verified boolean not null default false,
  add column sealed_pin text,
  add column external boolean not null default false,
  add column lifetime boolean not null default false,
  add column register_promo_code text;

alter table sessions add column browser text not null default 'A browser';

create table known_browsers (
  account uuid not null references accounts on delete cascade,
  token_hash bytea not null,
  created timestamptz not null,
  primary key (account, token_hash)
);

create table phone_codes (
  account uuid primary key references accounts on delete cascade,
  phone_number text not null,
  code_hash bytea not null,
  expires timestamptz not null,
  tries integer not null default 0
);

create table phone_opt_outs (
  phone_number text primary key,
  since timestamptz not null
);

create table support_details (
  account uuid primary key references accounts on delete cascade,
  email text,
  phone text,
  title text,
  description text,
  exclusive boolean not null default false,
  link text,
  linktext text
);

create table promo_codes (
  code text primary key,
  amount_off integer check (amount_off > 0),
  percent_off real check (percent_off > 0 and percent_off <= 100),
  duration text not null check (duration in ('forever', 'repeating')),
  duration_in_months integer check (duration_in_months > 0),
  redeem_by timestamptz,
  created timestamptz not null,
  check ((amount_off is null) <> (percent_off is null)),
  check ((duration = 'repeating') = (duration_in_months is not null))
);
create unique index promo_codes_code on promo_codes (lower(code));

create table signup_codes (
  uuid uuid primary key,
  code text not null,
  note text not null,
  device_limit integer not null check (device_limit >= 0),
  external boolean not null,
  lifetime boolean not null,
  max_uses integer not null check (max_uses > 0),
  uses integer not null default 0,
  expires timestamptz,
  created timestamptz not null
);
create unique index signup_codes_code on signup_codes (upper(code))
`;
