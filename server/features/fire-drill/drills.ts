import { randomUUID } from 'node:crypto';
import type { FireDrill } from '@porchlight/contract/fire-drill.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { DeliveryLookup } from '../../ports.ts';

export interface DrillDeps extends Pick<Kernel, 'db' | 'clock' | 'limit' | 'notify'> {
  deliveriesOf: DeliveryLookup;
  /** Whether an incident is open, something waits for an answer, or something was stopped since then. */
  isRealNear(account: string, stoppedSince: Date, trx: Trx): Promise<boolean>;
}

/** In milliseconds. A practice this soon after a stop could be taken for its all-clear (P15.7). */
const quiet_before = 24 * 3_600_000;

export type FireDrills = ReturnType<typeof fireDrills>;

/** Fire drills: practice alerts that use the same path as real ones, to find unreachable guardians before an emergency. */
export function fireDrills({ db, clock, limit, notify, deliveriesOf, isRealNear }: DrillDeps) {
  return {
    async start(account: string): Promise<string> {
      await limit('fire-drill', account, { max: serverLimits.fire_drills_per_hour, per: 3_600_000 });
      const uuid = randomUUID();
      await db.transaction().execute(async (trx) => {
        if (await isRealNear(account, after(clock.now(), -quiet_before), trx)) fail('drill_not_now');
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
