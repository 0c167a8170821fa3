import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/open.ts';
import { agentInfo } from './agent-info.ts';

/** Adds alerts to a device, a tenth of a second apart, the newest just before `now`. */
export async function growAlerts(db: Db, device: string, count: number, now: Date, blocked = true): Promise<void> {
  await sql`insert into detections (uuid, device, account, time, received, name, identifier, category, details, blocked, certainty)
    select gen_random_uuid(), uuid, account, ${now}::timestamptz - n * interval '0.1 second', ${now}, 'AnyDesk', 'grown-' || n, 'RemoteControl', '', ${blocked}, 'likely'
    from devices, generate_series(1, ${count}) n where uuid = ${device}`.execute(db);
  await sql`vacuum analyze detections`.execute(db);
}

/** Devices of each account of `growService`; also its sessions. */
const devicesPerAccount = 5;
/** The first devices of `growService` have this many alerts each, in place of one. */
export const devicesWithAlerts = 10;
const alertsOfEach = 100;
/** What is due at one time does not grow with the tables. */
const offlineDevices = 10;
const urgentJobs = 5;

type GrownTable = 'account' | 'device' | 'session' | 'alert' | 'job';

/** The id of the nth row that `growService` adds to a table, counted from 1. */
export function grownId(table: GrownTable, n: number): string {
  const hash = createHash('md5').update(`${table}-${n}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
const idInSql = (table: GrownTable, n: RawBuilder<unknown>) => sql<string>`md5(${sql.lit(`${table}-`)} || ${n})::uuid`;

/** The token of the nth session or device. */
export const grownToken = (kind: 'session' | 'device', n: number) => `grown-${kind}-${n}`;

/** The account of the nth device of so many. */
export const accountOfDevice = (n: number, rows: number) => grownId('account', 1 + (n % Math.ceil(rows / devicesPerAccount)));

/**
 * Fills an empty database with this many devices, tokens, sessions, detections, jobs and deliveries each, as of a service that has run for a
 * year at `now`. Needs a superuser: foreign keys are not checked, and the indexes are built at the end, which is ten times faster.
 */
export async function growService(db: Db, rows: number, now: Date): Promise<void> {
  const accounts = Math.ceil(rows / devicesPerAccount);
  const n = sql.ref('n');
  const numbers = (count: number) => sql`generate_series(1, ${sql.lit(count)}) n`;
  const account = idInSql('account', sql`(1 + n % ${sql.lit(accounts)})`);
  const device = idInSql('device', n);
  const hash = (kind: 'session' | 'device') => sql`sha256((${sql.lit(`grown-${kind}-`)} || n)::bytea)`;
  const time = sql`${sql.lit(now.toISOString())}::timestamptz`;
  const lastYear = sql`${time} - interval '1 day' - n * (interval '300 days' / ${sql.lit(rows)})`;
  const isOffline = sql`n <= ${sql.lit(offlineDevices)}`;
  const lastSeen = sql`case when ${isOffline} then ${time} - interval '8 days' else ${time} - n % 60 * interval '1 second' end`;
  const extraAlerts = sql.lit(devicesWithAlerts * alertsOfEach);
  const statements = [
    sql`insert into accounts (uuid, name, email, email_verified, password_hash, device_limit, created)
      select ${idInSql('account', n)}, 'Ann Example', 'person-' || n || '@example.org', true, 'x', 5, ${lastYear} from ${numbers(accounts)}`,
    sql`insert into devices (uuid, account, name, policy, info, created, installed, last_seen)
      select ${device}, ${account}, 'PC ' || n, 'strict', ${sql.lit(JSON.stringify(agentInfo))}::jsonb, ${lastYear}, ${lastYear}, ${lastSeen} from ${numbers(rows)}`,
    sql`insert into device_tokens (token_hash, device, created) select ${hash('device')}, ${device}, ${lastYear} from ${numbers(rows)}`,
    sql`insert into device_watch (device, due, says_sleep)
      select ${device}, ${time} + (15 + n % 60) * interval '1 minute', true from ${numbers(rows)} where not (${isOffline})`,
    sql`insert into server_uptime (since, until) values (${time} - interval '30 days', ${time})`,
    sql`insert into sessions (token_hash, uuid, account, browser, created, last_used)
      select ${hash('session')}, ${idInSql('session', n)}, ${account}, 'Firefox on Linux', ${time} - interval '3 days', ${time} from ${numbers(rows)}`,
    // In random order, as an account's alerts are spread in a table of many accounts.
    sql`insert into detections (uuid, device, account, time, received, name, identifier, category, details, blocked, certainty)
      select ${idInSql('alert', n)}, ${idInSql('device', sql`owner`)}, ${idInSql('account', sql`(1 + owner % ${sql.lit(accounts)})`)}, ${lastYear}, ${lastYear},
        'AnyDesk', 'grown-' || n, 'RemoteControl', '/usr/bin/anydesk', n / 10 % 10 > 0, 'likely'
      from (
        select n, case when n <= ${extraAlerts} then 1 + n % ${sql.lit(devicesWithAlerts)} else n - ${extraAlerts} end as owner
        from ${numbers(rows + devicesWithAlerts * alertsOfEach)}
      ) as alerts order by random()`,
    // Nine of ten are done.
    sql`insert into jobs (id, kind, lane, domain, payload, unique_key, run_at, created, done_at, attempts)
      select ${idInSql('job', n)}, 'mail', 'mail_bulk', 'example.org', '{}', 'weekly:grown:' || n, ${lastYear}, ${lastYear},
        case when n % 10 > 0 then ${lastYear} end, 1 from ${numbers(rows)}`,
    sql`insert into jobs (id, kind, lane, domain, payload, unique_key, run_at, created)
      select gen_random_uuid(), 'mail', 'mail_urgent', 'example.org', '{}', 'alert:grown:' || n, ${time}, ${time} from ${numbers(urgentJobs)}`,
    sql`insert into deliveries (key, account, kind, about, name, channel, state, time)
      select 'alert:grown:' || n, ${account}, 'alert', ${idInSql('alert', n)}::text, 'Ann', 'mail', 'sent', ${lastYear} from ${numbers(rows)}`,
  ];
  await db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection);
    await sql`set synchronous_commit = off`.execute(connection);
    const { rows: indexes } = await sql<{ name: string; definition: string }>`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = any(${largeTables}::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`.execute(
      connection,
    );
    for (const { name } of indexes) await sql`drop index ${sql.raw(name)}`.execute(connection);
    for (const statement of statements) await statement.execute(connection);
    for (const { definition } of indexes) await sql.raw(definition).execute(connection);
    await sql`reset session_replication_role`.execute(connection);
    await sql`vacuum analyze`.execute(connection);
    await sql`checkpoint`.execute(connection);
  });
}

/** The tables that `growService` fills, the small one of uptimes aside. */
export const largeTables = [
  'accounts',
  'devices',
  'device_tokens',
  'device_watch',
  'sessions',
  'detections',
  'jobs',
  'deliveries',
] as const;
