import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Whether the internet is cut, as the agent verified there (P10.6). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table network_isolations add column in_force boolean not null default true;

alter table network_isolations add column put_back integer not null default 0;

alter table network_isolations add column lost timestamptz;

alter table incident_events drop constraint incident_events_kind_check;

alter table incident_events add constraint incident_events_kind_check check (kind in
  ('opened', 'reopened', 'on_it', 'mine', 'over', 'over_asked', 'how', 'stop', 'isolated', 'isolation_lost', 'isolation_back', 'reconnected', 'code_shown'))
`;
