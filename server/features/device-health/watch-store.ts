import type { ActKind } from '@porchlight/contract/care.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { serverLimits as limit } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';

export type WatchStore = ReturnType<typeof watchStore>;

/** A device that is watched and was not heard. */
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
  /** It waited because it fell silent together with others, at this look last. */
  held: Date | null;
}

/** When others were heard last. */
export interface Others {
  /** Those that are not heard any more, and some of those that are: milliseconds since 1970, by device. */
  last_seen: Map<string, number>;
  /** How many are heard; counted no further than it matters. */
  heard: number;
}

const minute = 60_000;
/** A connected device checks in each minute. It is pushed ahead when it comes closer than so to being due, and not at each check-in. */
const push_within = 10 * minute;
/** Not heard for so long that no push can be the reason: so much before it is due. */
const unheard_before = 8 * minute;
/** Trouble is looked for so far back: further than any silence that is judged by it. */
const trouble_window = 3 * 60 * minute;
/** Done at a screen by whoever wants more people to look: no sign that somebody is at work there. */
const harmless: ActKind[] = ['guardian_added'];
/** So many silent ones are looked at, the newest first. */
const silent_max = 10_000;
/** How many of those that were heard last are asked whether they still are. */
const sample = 50;

/** Which devices are awake, and since when those can be heard. */
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

    /** Is what stands there still good, or has the device to be watched anew? */
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

    /** It said goodbye, or nothing more is to be found out about it before it is heard again. */
    unwatch: (trx: Trx, device: string) => trx.deleteFrom('device_watch').where('device', '=', device).execute(),

    /** It is looked at again once it was silent for long enough since it was last heard. */
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

    /** Writes down that it is looked now. Answers since when devices can be heard: a gap between two looks, or a clock that was put back, begins anew. */
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

    /** Whether devices wait because too many fell silent together. */
    setDeaf: (deaf: boolean) => db.updateTable('listening').set({ deaf }).execute(),

    /** Calls of agents were refused. Written down before the first look it counts for none. */
    noteRefused: (at: Date) => db.updateTable('listening').set({ refused: at }).execute(),

    /** Those that fell silent together wait: their silence counts from now. */
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

    /** What is known of all devices that are watched: when the silent ones were heard last, and how many are not silent. */
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
     * Who was not heard for long enough to be judged: by index, those that are due, and those where something was stopped or weakened lately. All but
     * the silent ones were pushed ahead. `device`: only this one.
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
