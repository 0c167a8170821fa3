create table appointments (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  device uuid not null references devices on delete cascade,
  identifier text not null,
  program text not null,
  person uuid not null,
  name text not null,
  time timestamptz not null,
  until timestamptz not null,
  money_pages boolean not null,
  ended timestamptz,
  ended_by text
);
create index appointments_account on appointments (account, time);
create index appointments_device on appointments (device, time);
create index appointments_until on appointments (until);

alter table held_requests drop constraint held_requests_cause_check;
alter table held_requests add constraint held_requests_cause_check
  check (cause in ('incident', 'second_act', 'ask_first', 'helped_twice', 'first_hour', 'asked', 'waiting'));
