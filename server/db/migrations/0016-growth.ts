import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
create index detections_uuid on detections (uuid);
create index detections_page on detections (account, time desc, uuid) include (device) where counted_into is null;
create index detections_of_device on detections (device, time desc, uuid) where counted_into is null;
create index detections_open on detections (account, time desc, uuid) where counted_into is null and not blocked;
drop index detections_account;

create index devices_last_seen on devices (last_seen);
create index silences_untold on silences (since) where told is null;
create index silences_paused on silences (until) where kind = 'paused';
create index jobs_done on jobs (kind, done_at) where done_at is not null
`;
