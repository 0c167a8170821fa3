import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

/** Whether a device is in use: connected for an hour since it was enrolled, all in all. Until then it may be anybody's who guessed a code. */
export function deviceUse(db: Db, clock: Clock) {
  const { pin_hash_after: enough, use_gap } = serverLimits;
  return {
    /** It is connected now. `now`: it has come to an hour just now, and not before; `becomesUsed` is then done in the same transaction. */
    async note(device: string, becomesUsed: (trx: Trx) => Promise<unknown>): Promise<'not yet' | 'now' | 'before'> {
      const known = await db.selectFrom('device_use').select(['connected_ms', 'last']).where('device', '=', device).executeTakeFirst();
      if (known && known.connected_ms >= enough) return 'before';
      const [now, gap] = [clock.now(), known ? clock.now().getTime() - known.last.getTime() : 0];
      const connected_ms = (known?.connected_ms ?? 0) + (gap > 0 && gap <= use_gap ? gap : 0);
      const row = { connected_ms, last: now };
      // It may have been removed meanwhile, and of two calls at once each counts the same time.
      const write = (on: Db | Trx) =>
        on
          .insertInto('device_use')
          .columns(['device', 'connected_ms', 'last'])
          .expression((q) =>
            q
              .selectFrom('devices')
              .select(({ val, cast }) => [
                'uuid',
                cast<number>(val(connected_ms), 'integer').as('ms'),
                cast<Date>(val(now), 'timestamptz').as('last'),
              ])
              .where('uuid', '=', device)
              // A removal that is under way is waited for.
              .forKeyShare(),
          )
          .onConflict((oc) => oc.column('device').doUpdateSet(row))
          .execute();
      if (connected_ms < enough) {
        await write(db);
        return 'not yet';
      }
      await db.transaction().execute(async (trx) => {
        await write(trx);
        await becomesUsed(trx);
      });
      return 'now';
    },
  };
}
