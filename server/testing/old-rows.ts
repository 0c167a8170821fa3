import { sql } from 'kysely';
import type { Db } from '../db/open.ts';

/** The shares of each table in the rows, each alert with a repeat: messages and jobs are the most, as in a service that sends weekly reports. */
const shares = { jobs: 0.4, deliveries: 0.2, activity_log: 0.1, device_reports: 0.1, alerts: 0.1 };

/** Adds this many rows that are 14 months old, and as many that are a day old. */
export async function fillWithOldRows(db: Db, device: string, rows: number): Promise<void> {
  const account = sql`(select account from devices where uuid = ${device})`;
  for (const [name, age] of [
    ['old', '14 months'],
    ['recent', '1 day'],
  ] as const) {
    // A row each tenth of a second, the newest of this age.
    const time = sql`now() - ${sql.lit(age)}::interval - n * interval '0.1 second'`;
    const numbers = (share: number) => sql`generate_series(1, ${Math.round(rows * share)}) n`;
    const key = sql`${sql.lit(name)} || '-' || n`;
    await sql`insert into jobs (id, kind, lane, payload, unique_key, run_at, created, done_at)
      select gen_random_uuid(), 'mail', 'mail_ordinary', '{}', ${key}, ${time}, ${time}, ${time} from ${numbers(shares.jobs)}`.execute(db);
    await sql`insert into deliveries (key, account, kind, about, name, channel, state, time)
      select ${key}, ${account}, 'weekly', 'x', 'Ann', 'mail', 'sent', ${time} from ${numbers(shares.deliveries)}`.execute(db);
    await sql`insert into activity_log (uuid, account, kind, device_name, what, actor, notified, time, received)
      select gen_random_uuid(), ${account}, 'allowed', 'PC', 'AnyDesk', 'Ann', 'repeated', ${time}, ${time} from ${numbers(shares.activity_log)}`.execute(
      db,
    );
    await sql`insert into device_reports (device, uuid, time) select ${device}, gen_random_uuid(), ${time} from ${numbers(shares.device_reports)}`.execute(
      db,
    );
    const columns = sql`uuid, device, account, time, received, name, identifier, category, details, blocked, certainty, counted_into`;
    await sql`insert into detections (${columns})
      select gen_random_uuid(), ${device}, ${account}, ${time}, ${time}, 'AnyDesk', ${key}, 'RemoteControl', '', true, 'likely', null
      from ${numbers(shares.alerts)}`.execute(db);
    // One repeat of each alert.
    await sql`insert into detections (${columns})
      select gen_random_uuid(), device, account, time, received, name, identifier, category, details, blocked, certainty, uuid
      from detections where starts_with(identifier, ${sql.lit(name)})`.execute(db);
  }
  for (const table of filled) await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}

const filled = ['jobs', 'deliveries', 'activity_log', 'device_reports', 'detections'] as const;
const times = { jobs: 'done_at', deliveries: 'time', activity_log: 'received', device_reports: 'time', detections: 'received' };

async function countRows(db: Db, isIt: (time: ReturnType<typeof sql.ref>) => ReturnType<typeof sql>): Promise<number> {
  let sum = 0;
  for (const table of filled) {
    const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)} where ${isIt(sql.ref(times[table]))}`.execute(
      db,
    );
    sum += Number(rows[0]?.n);
  }
  return sum;
}
export const oldRows = (db: Db) => countRows(db, (time) => sql`${time} < now() - interval '13 months'`);
export const recentRows = (db: Db) => countRows(db, (time) => sql`${time} > now() - interval '20 days'`);
