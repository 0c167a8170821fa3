import { day } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { after } from '../../lib/clock.ts';
import type { WeekFacts } from '../../notifications/render/weekly.ts';
import { daysBefore, isFirstSunday, lastFirstSunday, nineOn } from './sunday.ts';

/** In milliseconds. A computer that was offline reports a detection late, and the week of the report has it. */
const reported_late = 30 * day;
/** In milliseconds. An account with a computer this old has had the report of a first Sunday. */
const month_max = 35 * day;

type Events = Omit<WeekFacts, 'alerts' | 'devices' | 'time_zone' | 'programs_since' | 'happenings'> & {
  /** Whether a guardian gets the report of each week, also of a quiet one. */
  has_eager_guardian: boolean;
};

/** Reads the weekly report's data from other features' tables. */
export function weeklyStore(db: Db) {
  return {
    /** Accounts with installed devices, and the time zone of the most recently seen one. */
    accountsAfter: (account: string, max: number) =>
      db
        .selectFrom('devices as d')
        .distinctOn('d.account')
        .select(['d.account', 'd.info'])
        .where('d.last_seen', 'is not', null)
        .where('d.account', '>', account)
        .orderBy('d.account')
        .orderBy('d.last_seen', 'desc')
        .limit(max)
        .execute(),

    /**
     * The week until a Sunday, from the moment of the report before; three statements, however much happened. `delay`: from nine o'clock until the
     * report, in milliseconds.
     */
    async facts(trx: Trx, account: string, sunday: string, delay: number) {
      const rows = await trx
        .selectFrom('devices as d')
        .leftJoin('device_outages as s', 's.device', 'd.uuid')
        .select(['d.name', 'd.last_seen', 'd.created', 'd.info', 's.kind'])
        .where('d.account', '=', account)
        .where('d.last_seen', 'is not', null)
        .orderBy('d.created')
        .execute();
      const devices = rows.map(({ name, last_seen, kind, info, created }) => ({
        ...{ name, last_seen: last_seen ?? created, info, limitations: info?.limitations ?? [] },
        outage: kind ?? (info?.no_definitions ? ('no_definitions' as const) : null),
      }));
      const [newest] = devices.toSorted((a, b) => b.last_seen.getTime() - a.last_seen.getTime());
      const time_zone = newest?.info?.time_zone ?? 'UTC';
      const reportOf = (date: string) => after(nineOn(date, time_zone), delay);
      const since = reportOf(daysBefore(sunday, 7));
      const programs_since = isFirstSunday(sunday) ? reportOf(lastFirstSunday(sunday)) : since;
      const isOldAccount = rows.some(({ created }) => created < after(reportOf(sunday), -month_max));
      const alerts = await trx
        .selectFrom('detections as t')
        .innerJoin('devices as d', 'd.uuid', 't.device')
        .select(['t.name', 'd.name as device_name', 't.blocked'])
        .where('t.account', '=', account)
        .where('t.counted_into', 'is', null)
        .where('t.time', '>', after(since, -reported_late))
        .where('t.received', '>', since)
        .orderBy('t.time', 'desc')
        .execute();
      const events = await sql<Events>`select
        (select count(*)::int from device_reports e join devices d on d.uuid = e.device
          where d.account = ${account} and e.kind = 'new_program' and e.time > ${programs_since}) as new_programs,
        (select coalesce(jsonb_agg(jsonb_build_object('site', e.site, 'device_name', d.name) order by e.time desc), '[]')
          from device_reports e join devices d on d.uuid = e.device
          where d.account = ${account} and e.kind = 'opened_site' and e.time > ${since}) as opened_sites,
        (select coalesce(sum(jsonb_array_length(s.items)), 0)::int from scans s join devices d on d.uuid = s.device
          where d.account = ${account} and s.received > ${since}) as found,
        exists (select from incidents i where i.account = ${account} and (i.last_opener > ${since} or i.over > ${since})) as incident,
        (select count(*)::int from held_requests r where r.account = ${account} and r.time > ${since}) as requests,
        (select count(*)::int from activity_log l
          where l.account = ${account} and l.received > ${since} and l.notified <> 'repeated' and l.kind <> 'helping') as changes,
        exists (select from deliveries n where n.account = ${account} and n.kind = 'outage' and n.time > ${since}) as was_silent,
        (select coalesce(jsonb_agg(distinct jsonb_build_object('guardian', n.guardian, 'name', n.name)), '[]') from (
            select distinct on (guardian, channel) guardian, channel, name, state from deliveries
            where account = ${account} and channel in ('mail', 'sms') and state <> 'waiting' and time > ${since}
            order by guardian, channel, time desc, state = 'failed' desc
          ) n left join guardians g on g.uuid = n.guardian
          where n.state = 'failed' and (n.guardian is null
            or g.declined is null and g.left_at is null and case n.channel when 'mail' then g.mail else g.sms end)) as undelivered,
        (select case when f.tried is null then greatest(l.fetched, c.issued) else coalesce(f.fetched, c.issued) end from
          (select max(fetched) as fetched from site_lists) l
          cross join (select min(issued) as issued from definition_sets
            where catalogue = (select catalogue from definition_sets order by version desc limit 1)) c
          left join lateral (select fetched, tried from upstream_feeds order by tried desc limit 1) f on true) as definitions_from,
        (${isOldAccount} or exists (select from deliveries n where n.account = ${account} and n.kind = 'weekly')) as had_report,
        exists (select from guardians g
          where g.account = ${account} and g.accepted is not null and g.weekly and g.every_week) as has_eager_guardian`.execute(trx);
      const [{ has_eager_guardian, ...found }] = events.rows as [Events];
      return {
        has_eager_guardian,
        week: { alerts, devices, time_zone, programs_since: isFirstSunday(sunday) ? programs_since : null, ...found },
      };
    },
  };
}
