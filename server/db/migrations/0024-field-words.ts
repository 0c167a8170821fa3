import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Renames tables, columns and indexes to the glossary's terms. No row changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table acts rename to activity_log;
alter table activity_log rename column told to notified;
alter index acts_pkey rename to activity_log_pkey;
alter index acts_account rename to activity_log_account;
alter index acts_received rename to activity_log_received;

alter table hearing rename to server_uptime;
alter index hearing_pkey rename to server_uptime_pkey;

alter table guardian_looks rename to guardian_visits;
alter index guardian_looks_pkey rename to guardian_visits_pkey;

alter table silences rename to device_outages;
alter table device_outages rename column told to notified_at;
alter index silences_pkey rename to device_outages_pkey;
alter index silences_untold rename to device_outages_not_notified;
alter index silences_paused rename to device_outages_paused;

alter table exceptions rename to allow_list;
alter index exceptions_pkey rename to allow_list_pkey;
alter index exceptions_identifier rename to allow_list_identifier;

alter table budgets rename column told to notified_percent
`;
