import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

/** Whether a device was connected for an hour in total. Until then its user may have guessed the code. */
export function deviceUse(db: Db, clock: Clock, bumpPolicy: (trx: Trx, account: string, uuid: string) => Promise<unknown>) {
  const { pin_hash_after: requiredMs, use_gap } = serverLimits;
  return {
    /** Records a connection. When it completes the hour, returns `now` and changes the device's policy, which then has the PIN's hash. */
    async note(device: string): Promise<'not yet' | 'now' | 'before'> {
      const previousUse = await db
        .selectFrom('device_use')
        .select(['connected_ms', 'last'])
        .where('device', '=', device)
        .executeTakeFirst();
      if (previousUse && previousUse.connected_ms >= requiredMs) return 'before';
      const [now, elapsedMs] = [clock.now(), previousUse ? clock.now().getTime() - previousUse.last.getTime() : 0];
      const connected_ms = (previousUse?.connected_ms ?? 0) + (elapsedMs > 0 && elapsedMs <= use_gap ? elapsedMs : 0);
      const row = { connected_ms, last: now };
      // Nothing is stored for a removed device, and simultaneous calls count the same time once.
      const saveUse = (connection: Db | Trx) =>
        connection
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
              .forKeyShare(),
          )
          .onConflict((oc) => oc.column('device').doUpdateSet(row))
          .execute();
      if (connected_ms < requiredMs) {
        await saveUse(db);
        return 'not yet';
      }
      await db.transaction().execute(async (trx) => {
        await saveUse(trx);
        const owner = await trx.selectFrom('devices').select('account').where('uuid', '=', device).executeTakeFirst();
        if (owner) await bumpPolicy(trx, owner.account, device);
      });
      return 'now';
    },
  };
}
