import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import { after, type Clock } from '../lib/clock.ts';
import { fail } from '../lib/errors.ts';
import { isFarCaller } from './caller-of.ts';

const bucket = 'unknown_codes';

export type CodeGuard = ReturnType<typeof codeGuard>;

/**
 * Limits the unknown codes that the whole service checks, with a leaky bucket. While it is full, a caller must wait before each check, with
 * the same answer for right and wrong codes. The wait grows with the caller's unknown codes: a family waits for seconds, a guesser for
 * hours.
 */
export function codeGuard(db: Db, clock: Clock) {
  const addToBucket = async (): Promise<boolean> => {
    const now = clock.now();
    const drainedLevel = sql<number>`greatest(0, buckets.level - greatest(0, extract(epoch from ${now}::timestamptz - buckets.time)) * ${serverLimits.unknown_codes_per_minute / 60}::double precision)`;
    const row = await db
      .insertInto('buckets')
      .values({ name: bucket, level: 1, time: now })
      .onConflict((oc) =>
        oc
          .column('name')
          .doUpdateSet({ level: sql<number>`${drainedLevel} + 1`, time: sql<Date>`greatest(buckets.time, ${now}::timestamptz)` })
          .where(sql<boolean>`${drainedLevel} + 1 <= ${serverLimits.unknown_codes}`),
      )
      .returning('level')
      .executeTakeFirst();
    return row !== undefined;
  };
  const removeFromBucket = () =>
    db.updateTable('buckets').set({ level: sql<number>`greatest(0, level - 1)` }).where('name', '=', bucket).execute();

  /** Returns for a caller who has waited, once for each wait. Otherwise throws `code_wait` with the remaining time. */
  const mustHaveWaited = async (caller: string): Promise<void> => {
    const now = clock.now();
    const { numUpdatedRows } = await db
      .updateTable('code_callers')
      .set({ ready: null })
      .where('caller', '=', caller)
      .where('ready', '<=', now)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
    const [firstWait, longestWait] = [serverLimits.code_wait / 1000, serverLimits.code_wait_max / 1000];
    const wait = sql`make_interval(secs => least(${longestWait}::double precision, ${firstWait}::double precision * power(4, least(code_callers.unknown, 10))))`;
    const { ready } = await db
      .insertInto('code_callers')
      .values({ caller, ready: after(now, serverLimits.code_wait), ends: after(now, day) })
      .onConflict((oc) =>
        oc.column('caller').doUpdateSet({ ready: sql<Date>`coalesce(code_callers.ready, ${now}::timestamptz + ${wait})` }),
      )
      .returning('ready')
      .executeTakeFirstOrThrow();
    fail('code_wait', { retry_after: ((ready ?? now).getTime() - now.getTime()) / 1000 });
  };

  const countUnknown = async (caller: string): Promise<void> => {
    // Local addresses and proxies may stand for anybody, so typing errors of such callers are not counted.
    if (!isFarCaller(caller)) return;
    await db
      .insertInto('code_callers')
      .values({ caller, unknown: 1, ends: after(clock.now(), day) })
      .onConflict((oc) => oc.column('caller').doUpdateSet({ unknown: sql<number>`code_callers.unknown + 1` }))
      .execute();
  };

  return {
    /** `find` returns null for an unknown code. `caller`: from `callerOf`. Throws `code_wait` before the lookup. */
    async lookUp<T extends object>(caller: string, find: () => Promise<T | null>): Promise<T | null> {
      const hasRoom = await addToBucket();
      if (!hasRoom) await mustHaveWaited(caller);
      const result = await find();
      if (result === null) await countUnknown(caller);
      else if (hasRoom) await removeFromBucket();
      return result;
    },

    /** A caller who has just logged in can check one code without a wait. */
    async welcome(caller: string): Promise<void> {
      if (!isFarCaller(caller)) return;
      const now = clock.now();
      await db
        .insertInto('code_callers')
        .values({ caller, ready: now, ends: after(now, day) })
        .onConflict((oc) => oc.doNothing())
        .execute();
    },
  };
}
