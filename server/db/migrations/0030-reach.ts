import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Escalation of incidents, phone calls and their consent, the order of guardians, and Web Push (P11.1, P11.6). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// `calls.guardian` has no foreign key, because calls outlive guardians, as deliveries do.
const statements = `
create table escalations (
  incident uuid not null references incidents on delete cascade,
  number integer not null,
  opener text not null,
  what text,
  begun timestamptz not null,
  stopped timestamptz,
  answered boolean not null default false,
  primary key (incident, number)
);

create table escalation_steps (
  incident uuid not null,
  number integer not null,
  step text not null,
  sequence integer generated always as identity,
  person uuid,
  call uuid,
  name text,
  time timestamptz not null,
  primary key (incident, number, step),
  foreign key (incident, number) references escalations on delete cascade
);

create table calls (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  purpose text not null check (purpose in ('guardian', 'person', 'consent')),
  incident uuid references incidents on delete cascade,
  device uuid references devices on delete cascade,
  guardian uuid,
  name text not null,
  phone_number text not null,
  created timestamptz not null,
  state text not null default 'queued'
    check (state in ('queued', 'ringing', 'answered', 'machine', 'completed', 'busy', 'no_answer', 'failed')),
  pressed text,
  updated timestamptz not null
);

create index calls_incident on calls (incident) where incident is not null;

create index calls_account on calls (account, created);

create index calls_device on calls (device) where device is not null;

create index accounts_phone on accounts (phone_number) where phone_number is not null;

create table call_consents (
  device uuid primary key references devices on delete cascade,
  phone_number text not null,
  asked timestamptz not null,
  agreed timestamptz,
  refused timestamptz
);

alter table guardians add column position integer;

alter table phone_opt_outs add column by_key boolean not null default false;

create table push_subscriptions (
  person uuid not null,
  endpoint_hash bytea not null,
  account uuid not null references accounts on delete cascade,
  guardian uuid references guardians on delete cascade,
  session uuid not null,
  service text not null,
  sealed_subscription text not null,
  created timestamptz not null,
  primary key (person, endpoint_hash)
);

create index push_subscriptions_account on push_subscriptions (account);

create index push_subscriptions_guardian on push_subscriptions (guardian) where guardian is not null
`;
