import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { serverLimits as limit } from '@porchlight/contract/server-limits.ts';
import { minute } from '@porchlight/contract/time.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';

export type WatchStore = ReturnType<typeof watchStore>;

export interface WatchedOffline {
  uuid: string;
  account: string;
  name: string;
  person: Person | null;
  time_zone: string;
  last_seen: Date;
  says_sleep: boolean;
  trouble: boolean;
  offline_spells: number;
  /** The last check that postponed the verdict because other devices went offline at the same time. */
  widespread: Date | null;
}

export interface Others {
  /** When offline devices and a sample of online devices were last seen, in milliseconds since 1970. */
  last_seen: Map<string, number>;
  /** The number of online devices, counted only up to the number that matters. */
  online: number;
}

/** A check-in postpones a device's due time only when it is this close, to save writes. */
const postponeWithinMs = 10 * minute;
/** A device whose due time is this close is certainly offline. */
const offlineWithinMs = 8 * minute;
/** How long detections and acts count as trouble: longer than any outage that they affect. */
const troubleWindowMs = 3 * 60 * minute;
/** Adding a guardian is no sign of a scammer. */
export const harmlessKinds: ActivityKind[] = ['guardian_added'];
const maxOffline = 10_000;
const onlineSample = 50;

/** Which devices are expected online, and since when the server can see them. */
export function watchStore(db: Db, clock: Clock) {
  const timeAfter = (ms: number) => after(clock.now(), ms);
  const timeBefore = (ms: number) => after(clock.now(), -ms);

  return {
    known: (device: string) =>
      db
        .selectFrom('devices as d')
        .leftJoin('device_watch as w', 'w.device', 'd.uuid')
        .leftJoin('device_outages as s', 's.device', 'd.uuid')
        .select(['w.due', 'w.says_sleep', 's.kind', 's.until', 's.early'])
        .where('d.uuid', '=', device)
        .executeTakeFirst(),

    isWatched: (knownWatch: { due: Date | null; says_sleep: boolean | null }, says_sleep: boolean): boolean =>
      knownWatch.due !== null && knownWatch.due > timeAfter(postponeWithinMs) && knownWatch.says_sleep === says_sleep,

    watch: (device: string, says_sleep: boolean) => {
      const row = { due: timeAfter(limit.outage_quiet), says_sleep, widespread: null };
      return (
        db
          .insertInto('device_watch')
          .columns(['device', 'due', 'says_sleep'])
          // The device may be being removed.
          .expression((q) =>
            q
              .selectFrom('devices')
              .select(['uuid', sql<Date>`${row.due}::timestamptz`.as('due'), sql<boolean>`${says_sleep}::boolean`.as('says_sleep')])
              .where('uuid', '=', device),
          )
          .onConflict((oc) => oc.column('device').doUpdateSet(row))
          .execute()
      );
    },

    /** See `DevicePollDeps`. */
    postpone: (present: RawBuilder<unknown>) =>
      sql`update device_watch w set due = ${timeAfter(limit.outage_quiet)}, widespread = null from ${present} p
        where w.device = p.uuid and w.due < ${timeAfter(postponeWithinMs)}`,

    due_within: offlineWithinMs,

    unwatch: (trx: Trx, device: string) => trx.deleteFrom('device_watch').where('device', '=', device).execute(),

    watchUntil: (trx: Trx, device: string, due: Date) =>
      trx.updateTable('device_watch').set({ due }).where('device', '=', device).where('due', '!=', due).execute(),

    noteOffline: (device: string) =>
      db
        .insertInto('offline_spells')
        .columns(['device', 'ended'])
        .expression((q) =>
          q
            .selectFrom('devices')
            .select(['uuid', sql<Date>`${clock.now()}::timestamptz`.as('ended')])
            .where('uuid', '=', device),
        )
        .onConflict((oc) => oc.doNothing())
        .execute(),

    forgetOffline: () => db.deleteFrom('offline_spells').where('ended', '<=', timeBefore(limit.offline_spells_in)).execute(),

    /** Records this check; returns since when checks have run without a gap, which a missed check or a clock set back causes. */
    async recordCheck(): Promise<{ since: Date; deaf: boolean; refused: Date | null }> {
      const now = clock.now();
      const row = { checked: now, since: now, deaf: false };
      const unbroken = sql<boolean>`listening.checked <= ${now} and listening.checked >= ${timeBefore(2 * limit.outage_poll)}`;
      return db
        .insertInto('listening')
        .values(row)
        .onConflict((oc) =>
          oc
            .column('one')
            .doUpdateSet({ checked: now, since: sql<Date>`case when ${unbroken} then listening.since else ${now}::timestamptz end` }),
        )
        .returning(['since', 'deaf', 'refused'])
        .executeTakeFirstOrThrow();
    },

    /** Records whether devices wait because too many went offline together. */
    setNetworkDown: (deaf: boolean) => db.updateTable('listening').set({ deaf }).execute(),

    /** Records that agents were refused; has no effect before the first check. */
    noteRefused: (time: Date) => db.updateTable('listening').set({ refused: time }).execute(),

    /** Restarts the wait of devices that went offline together. */
    holdTogether: (oldTime: Date, newTime: Date) =>
      sql`update device_watch w set widespread = ${clock.now()} from devices d
        where d.uuid = w.device and w.due <= ${timeAfter(offlineWithinMs)} and d.last_seen >= ${oldTime} and d.last_seen <= ${newTime}`.execute(
        db,
      ),

    /** Whether a detection or weakening act occurred within the last hour. */
    async isTroubled(trx: Trx, device: string): Promise<boolean> {
      const since = timeBefore(limit.outage_trouble);
      const { rows } = await sql<{ troubled: boolean }>`select
        exists (select 1 from detections where received > ${since} and device = ${device}) or
        exists (select 1 from activity_log a join devices d on d.account = a.account and (a.device is null or a.device = d.uuid)
          where a.received > ${since} and a.kind <> all(${harmlessKinds}) and d.uuid = ${device}) as troubled`.execute(trx);
      return rows[0]?.troubled === true;
    },

    async otherDevices(): Promise<Others> {
      const dueBefore = timeAfter(offlineWithinMs);
      const watched = db.selectFrom('device_watch as w').innerJoin('devices as d', 'd.uuid', 'w.device').select(['d.uuid', 'd.last_seen']);
      const silent = await watched.where('w.due', '<=', dueBefore).orderBy('w.due', 'desc').limit(maxOffline).execute();
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from
        (select 1 from device_watch where due > ${dueBefore} limit ${silent.length * limit.outage_share + 1}) as counted`.execute(db);
      const newest = await watched.orderBy('w.due', 'desc').limit(onlineSample).execute();
      const last_seen = new Map(
        [...silent, ...newest].flatMap(({ uuid, last_seen: time }) => (time ? [[uuid, time.getTime()] as const] : [])),
      );
      return { last_seen, online: Number(rows[0]?.n) };
    },

    /** Offline devices that are due or had trouble recently. `device` limits the result to one device. */
    async offlineDevices(connection: Db | Trx, device?: string): Promise<WatchedOffline[]> {
      const { rows } = await sql<Omit<WatchedOffline, 'time_zone'> & { info: { time_zone?: string } | null }>`
        with events as (
          select device, received from detections where received > ${timeBefore(troubleWindowMs)}
          union all
          select d.uuid, a.received from activity_log a join devices d on d.account = a.account and (a.device is null or a.device = d.uuid)
          where a.received > ${timeBefore(troubleWindowMs)} and a.kind <> all(${harmlessKinds})
        ), lately as (select device, max(received) as at from events group by device)
        select d.uuid, d.account, d.name, d.person, d.info, d.last_seen, w.says_sleep, w.widespread,
          coalesce(l.at > d.last_seen - make_interval(secs => ${limit.outage_trouble / 1000}), false) as trouble,
          (select count(*)::int from offline_spells o where o.device = w.device and o.ended > ${timeBefore(limit.offline_spells_in)}) as offline_spells
        from device_watch w join devices d on d.uuid = w.device left join lately l on l.device = w.device
        where (w.due <= ${clock.now()} or w.device in (select device from lately))
          and d.last_seen <= ${timeBefore(limit.outage_alarmed)}
          ${device === undefined ? sql`` : sql`and w.device = ${device}`}
        order by w.widespread nulls first, w.due limit ${limit.outages_per_poll}`.execute(connection);
      return rows.map(({ info, ...row }) => ({ ...row, time_zone: info?.time_zone ?? 'UTC' }));
    },
  };
}
