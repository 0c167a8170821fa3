import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Stopped } from './answers.ts';
import type { IncidentRow } from './store.ts';
import { endOf } from './store.ts';

/** Lines of a time line for each kind: an incident lasts a day at least, and a device may report without end. */
const lines_max = 200;

export type BelongingStore = ReturnType<typeof belongingStore>;

/** Reads what belongs to an incident by device, account and time (P9.1). */
export function belongingStore(db: Db) {
  return {
    /** Alerts of the device; repeats are counted. `uuid`: of the alert. */
    async detections(device: string, from: Date, to: Date) {
      const rows = await db
        .selectFrom('detections as d')
        .select(['d.uuid', 'd.time', 'd.name', 'd.category', 'd.details', 'd.blocked'])
        .select((eb) =>
          eb
            .selectFrom('detections as c')
            .select((count) => count.fn.countAll<string>().as('n'))
            .whereRef('c.device', '=', 'd.device')
            .whereRef('c.counted_into', '=', 'd.uuid')
            .as('repeats'),
        )
        .where('d.device', '=', device)
        .where('d.counted_into', 'is', null)
        .where('d.time', '>=', new Date(from.getTime() - serverLimits.alert_grouping))
        .where('d.time', '<=', to)
        .orderBy('d.time', 'desc')
        .limit(lines_max)
        .execute();
      return rows.map(({ category, details, repeats, ...row }) => {
        return {
          ...row,
          category,
          site: category === 'ScamWebsite' || details === row.name,
          times: 1 + Number(repeats ?? 0),
        };
      });
    },

    activities: (account: string, from: Date, to: Date) =>
      db
        .selectFrom('activity_log')
        .select(['uuid', 'time', 'kind', 'actor', 'device_name', 'what'])
        .where('account', '=', account)
        .where('time', '>=', from)
        .where('time', '<=', to)
        .orderBy('time', 'desc')
        .limit(lines_max)
        .execute(),

    /** The newest remote-control program that this incident stopped, if it may be allowed. */
    async stoppedIn(row: IncidentRow, isAllowable: (identifier: string) => boolean): Promise<Stopped | null> {
      const programs = await db
        .selectFrom('detections')
        .select(['identifier', 'name'])
        .where('device', '=', row.device)
        .where('category', '=', 'RemoteControl')
        .where((eb): Expression<SqlBool> => eb(eb.ref('details'), '!=', sql<string>`name`))
        .where('time', '>=', row.opened)
        .where('time', '<=', endOf(row))
        .orderBy('time', 'desc')
        .limit(20)
        .execute();
      return programs.find(({ identifier }) => isAllowable(identifier)) ?? null;
    },
  };
}
