import type { Db, Trx } from '../../db/open.ts';
import type { WeekFacts } from '../../notifications/render/weekly.ts';

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

    async facts(trx: Trx, account: string, since: Date): Promise<WeekFacts> {
      const alerts = await trx
        .selectFrom('detections as t')
        .innerJoin('devices as d', 'd.uuid', 't.device')
        .select(['t.name', 'd.name as device_name', 't.blocked'])
        .where('t.account', '=', account)
        .where('t.counted_into', 'is', null)
        .where('t.time', '>', since)
        .orderBy('t.time', 'desc')
        .execute();
      const { n } = await trx
        .selectFrom('device_reports as e')
        .innerJoin('devices as d', 'd.uuid', 'e.device')
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .where('d.account', '=', account)
        .where('e.kind', '=', 'new_program')
        .where('e.time', '>', since)
        .executeTakeFirstOrThrow();
      const devices = await trx
        .selectFrom('devices as d')
        .leftJoin('device_outages as s', 's.device', 'd.uuid')
        .select(['d.name', 'd.last_seen', 'd.info', 's.kind'])
        .where('d.account', '=', account)
        .where('d.last_seen', 'is not', null)
        .orderBy('d.created')
        .execute();
      const deviceStates = devices.map(({ name, last_seen, kind, info }) => ({
        ...{ name, last_seen: last_seen ?? since, outage: kind, info },
        limitations: info?.limitations ?? [],
      }));
      const [newest] = deviceStates.toSorted((a, b) => b.last_seen.getTime() - a.last_seen.getTime());
      return { alerts, new_programs: Number(n), devices: deviceStates, time_zone: newest?.info?.time_zone ?? 'UTC' };
    },
  };
}
