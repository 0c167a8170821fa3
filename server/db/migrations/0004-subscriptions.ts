import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** A copy of the payment service's data about an account (P6.1). Promo codes are stored only there from now on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// `asked` and `written` number the requests, so that a late reply never overwrites a newer one.
const statements = `
create table customers (
  account uuid primary key references accounts on delete cascade,
  id text not null unique,
  asked integer not null default 0,
  written integer not null default 0,
  polled timestamptz
);

create table subscriptions (
  id text primary key,
  account uuid not null references accounts on delete cascade,
  status text not null,
  price text not null,
  plan text not null,
  amount integer not null,
  interval text not null,
  device_limit integer not null,
  created timestamptz not null,
  trial_end timestamptz,
  period_end timestamptz not null,
  ends timestamptz,
  ended_at timestamptz,
  invoice text
);
create index subscriptions_account on subscriptions (account);

create table checkouts (
  id text primary key,
  account uuid not null references accounts on delete cascade,
  price text not null,
  promo text,
  created timestamptz not null,
  done_at timestamptz
);
create index checkouts_account on checkouts (account);

create table payment_events (
  id text primary key,
  type text not null,
  customer text,
  created timestamptz not null,
  received timestamptz not null
);

drop table promo_codes
`;
