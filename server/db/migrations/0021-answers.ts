import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create table alert_answers (
  account uuid not null references accounts on delete cascade,
  device uuid not null references devices on delete cascade,
  alert uuid not null,
  person uuid not null,
  answer text not null check (answer in ('mine', 'sorted')),
  name text not null,
  time timestamptz not null,
  primary key (account, alert, person, answer)
);

create index alert_answers_device on alert_answers (device);

create table wrong_alerts (
  account uuid not null references accounts on delete cascade,
  device uuid not null references devices on delete cascade,
  alert uuid not null,
  time timestamptz not null,
  primary key (account, alert)
);

create index wrong_alerts_device on wrong_alerts (device);

create table wrong_matches (
  identifier text not null,
  name text not null,
  category text not null,
  certainty text not null,
  file text not null,
  count integer not null,
  first_day text not null,
  last_day text not null,
  primary key (identifier, name, category, certainty, file)
)
`;
