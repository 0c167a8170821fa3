import { sql } from 'kysely';
import type { Db } from '../db/open.ts';

/** Adds alerts to a device, a tenth of a second apart, the newest just before `now`. */
export async function growAlerts(db: Db, device: string, count: number, now: Date, blocked = true): Promise<void> {
  await sql`insert into detections (uuid, device, account, time, received, name, identifier, category, details, blocked, certainty)
    select gen_random_uuid(), uuid, account, ${now}::timestamptz - n * interval '0.1 second', ${now}, 'AnyDesk', 'grown-' || n, 'RemoteControl', '', ${blocked}, 'likely'
    from devices, generate_series(1, ${count}) n where uuid = ${device}`.execute(db);
  await sql`vacuum analyze detections`.execute(db);
}
