import type { ActKind } from '@porchlight/contract/care.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { serverLimits as limit } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';

export type WatchStore = ReturnType<typeof watchStore>;

/** A watched device that is offline. */
export interface Unheard {
  uuid: string;
  account: string;
  name: string;
  person: Person | null;
  time_zone: string;
  last_seen: Date;
  says_sleep: boolean;
  trouble: boolean;
  offline_spells: number;
  /** The last check at which it waited because it went offline together with others. */
  held: Date | null;
}

/** When the other devices were seen last. */
export interface Others {
  /** The devices that are offline, and a sample of those online: milliseconds since 1970, by device. */
  last_seen: Map<string, number>;
  /** How many are online; counted no further than it matters. */
  heard: number;
}

const minute = 60_000;
/** A connected device checks in each minute. It is pushed ahead when it comes closer than so to being due, and not at each check-in. */
const push_within = 10 * minute;
/** A device is offline for certain so long before it is due: no postponement can be the reason. */
const unheard_before = 8 * minute;
/** How far back trouble is searched: further than any outage that is judged by it. */
const trouble_window = 3 * 60 * minute;
/** Acts at a screen that bring in more people: no sign that a scammer is at work there. */
const harmless: ActKind[] = ['guardian_added'];
/** How many offline devices one check reads, newest first. */
const silent_max = 10_000;
/** How many of the devices seen last one check reads. */
const sample = 50;

/** Stores which devices are expected online, and since when the server can see them. */
export function watchStore(db: Db, clock: Clock) {
  const within = (ms: number) => after(clock.now(), ms);
  const ago = (ms: number) => after(clock.now(), -ms);

  return {
    /** What is known of a device that checks in. Undefined when it was removed. */
    known: (device: string) =>
      db
        .selectFrom('devices as d')
        .leftJoin('device_watch as w', 'w.device', 'd.uuid')
        .leftJoin('device_outages as s', 's.device', 'd.uuid')
        .select(['w.due', 'w.says_sleep', 's.kind', 's.until', 's.early'])
        .where('d.uuid', '=', device)
        .executeTakeFirst(),

    /** Whether the stored row is still good; otherwise the device is watched again. */
    isWatched: (known: { due: Date | null; says_sleep: boolean | null }, says_sleep: boolean): boolean =>
      known.due !== null && known.due > within(push_within) && known.says_sleep === says_sleep,

    watch: (device: string, says_sleep: boolean) => {
      const row = { due: within(limit.outage_quiet), says_sleep, held: null };
      return (
        db
          .insertInto('device_watch')
          .columns(['device', 'due', 'says_sleep'])
          // It may be removed at this moment.
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

    /** Stops watching a device: it said goodbye, or nothing more can be learned before it is back. */
    unwatch: (trx: Trx, device: string) => trx.deleteFrom('device_watch').where('device', '=', device).execute(),

    /** Postpones the check of a device until it was offline for long enough. */
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

    forgetOffline: () => db.deleteFrom('offline_spells').where('ended', '<=', ago(limit.offline_spells_in)).execute(),

    /** Notes this check, and answers since when devices can be seen without a gap: a missed check, or a clock that was set back, restarts that. */
    async look(): Promise<{ since: Date; deaf: boolean; refused: Date | null }> {
      const now = clock.now();
      const row = { looked: now, since: now, deaf: false };
      const unbroken = sql<boolean>`listening.looked <= ${now} and listening.looked >= ${ago(2 * limit.outage_look)}`;
      return db
        .insertInto('listening')
        .values(row)
        .onConflict((oc) =>
          oc
            .column('one')
            .doUpdateSet({ looked: now, since: sql<Date>`case when ${unbroken} then listening.since else ${now}::timestamptz end` }),
        )
        .returning(['since', 'deaf', 'refused'])
        .executeTakeFirstOrThrow();
    },

    /** Notes whether devices wait because too many went offline together. */
    setDeaf: (deaf: boolean) => db.updateTable('listening').set({ deaf }).execute(),

    /** Notes that calls of agents were refused. Before the first check it has no effect. */
    noteRefused: (at: Date) => db.updateTable('listening').set({ refused: at }).execute(),

    /** Makes devices wait that went offline together: their outage counts from now. */
    hold: (from: Date, to: Date) =>
      sql`update device_watch w set held = ${clock.now()} from devices d
        where d.uuid = w.device and w.due <= ${within(unheard_before)} and d.last_seen >= ${from} and d.last_seen <= ${to}`.execute(db),

    /** Whether something was stopped at a device, or protection weakened, within the last hour. */
    async isTroubled(trx: Trx, device: string): Promise<boolean> {
      const since = ago(limit.outage_trouble);
      const { rows } = await sql<{ troubled: boolean }>`select
        exists (select 1 from detections where received > ${since} and device = ${device}) or
        exists (select 1 from activity_log a join devices d on d.account = a.account and (a.device is null or a.device = d.uuid)
          where a.received > ${since} and a.kind <> all(${harmless}) and d.uuid = ${device}) as troubled`.execute(trx);
      return rows[0]?.troubled ?? false;
    },

    /** When the offline devices were seen last, and how many watched devices are online. */
    async others(): Promise<Others> {
      const line = within(unheard_before);
      const watched = db.selectFrom('device_watch as w').innerJoin('devices as d', 'd.uuid', 'w.device').select(['d.uuid', 'd.last_seen']);
      const silent = await watched.where('w.due', '<=', line).orderBy('w.due', 'desc').limit(silent_max).execute();
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from
        (select 1 from device_watch where due > ${line} limit ${silent.length * limit.outage_share + 1}) as counted`.execute(db);
      const newest = await watched.orderBy('w.due', 'desc').limit(sample).execute();
      const last_seen = new Map([...silent, ...newest].flatMap(({ uuid, last_seen: at }) => (at ? [[uuid, at.getTime()] as const] : [])));
      return { last_seen, heard: rows[0]?.n ?? 0 };
    },

    /**
     * The devices offline for long enough to be judged: by index, those that are due, and those with trouble lately. All but
     * the offline ones were postponed. `device`: only this one.
     */
    async unheard(on: Db | Trx, device?: string): Promise<Unheard[]> {
      const { rows } = await sql<Omit<Unheard, 'time_zone'> & { info: { time_zone?: string } | null }>`
        with events as (
          select device, received from detections where received > ${ago(trouble_window)}
          union all
          select d.uuid, a.received from activity_log a join devices d on d.account = a.account and (a.device is null or a.device = d.uuid)
          where a.received > ${ago(trouble_window)} and a.kind <> all(${harmless})
        ), lately as (select device, max(received) as at from events group by device)
        select d.uuid, d.account, d.name, d.person, d.info, d.last_seen, w.says_sleep, w.held,
          coalesce(l.at > d.last_seen - make_interval(secs => ${limit.outage_trouble / 1000}), false) as trouble,
          (select count(*)::int from offline_spells o where o.device = w.device and o.ended > ${ago(limit.offline_spells_in)}) as offline_spells
        from device_watch w join devices d on d.uuid = w.device left join lately l on l.device = w.device
        where (w.due <= ${clock.now()} or w.device in (select device from lately))
          and d.last_seen <= ${ago(limit.outage_alarmed)}
          ${device === undefined ? sql`` : sql`and w.device = ${device}`}
        order by w.held nulls first, w.due limit ${limit.outages_per_look}`.execute(on);
      return rows.map(({ info, ...row }) => ({ ...row, time_zone: info?.time_zone ?? 'UTC' }));
    },
  };
}
