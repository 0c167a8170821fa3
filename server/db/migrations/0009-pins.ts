import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** What devices check the Admin PIN against, and what they told that must not be taken twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

// The sealed PIN says of which PIN the hash is: after a reset it is another one, and the hash counts no more.
const statements = `
create table device_pins (
  device uuid primary key references devices on delete cascade,
  sealed_pin text not null,
  hash jsonb not null
);

create table device_news (
  device uuid not null references devices on delete cascade,
  uuid uuid not null,
  time timestamptz not null,
  primary key (device, uuid)
)
`;
