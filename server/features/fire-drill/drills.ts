import { randomUUID } from 'node:crypto';
import type { FireDrill } from '@porchlight/contract/fire-drill.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { DeliveryLookup, Notify } from '../../ports.ts';

export interface DrillDeps {
  db: Db;
  clock: Clock;
  limit: Limit;
  notify: Notify;
  deliveriesOf: DeliveryLookup;
}

export type FireDrills = ReturnType<typeof fireDrills>;

/** Fire drills: practice alerts that use the same path as real ones, to find unreachable guardians before an emergency. */
export function fireDrills({ db, clock, limit, notify, deliveriesOf }: DrillDeps) {
  return {
    async start(account: string): Promise<string> {
      await limit('fire-drill', account, { max: serverLimits.fire_drills_per_hour, per: 3_600_000 });
      const uuid = randomUUID();
      await db.transaction().execute(async (trx) => {
        await trx.insertInto('fire_drills').values({ uuid, account, time: clock.now() }).execute();
        await notify(trx, account, { kind: 'drill', facts: { uuid } });
      });
      return uuid;
    },

    async last(account: string): Promise<FireDrill | null> {
      const row = await db
        .selectFrom('fire_drills')
        .select(['uuid', 'time'])
        .where('account', '=', account)
        .orderBy('time', 'desc')
        .orderBy('uuid')
        .limit(1)
        .executeTakeFirst();
      if (!row) return null;
      const { uuid, time } = row;
      return { uuid, time: time.toISOString(), reached: (await deliveriesOf(account, 'drill', [uuid])).get(uuid) ?? [] };
    },
  };
}
