import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import { isFarCaller } from './caller-of.ts';
import { after, type Clock } from './clock.ts';
import { fail } from './errors.ts';

const bucket = 'unknown_codes';
const day = 24 * 3_600_000;

export type CodeGuard = ReturnType<typeof codeGuard>;

/**
 * Bounds how many unknown codes the whole service looks up, however many addresses they come from, and whichever server they reach. Each lookup takes a
 * place in a leaky bucket, and a code that somebody knows gives it back. While the bucket is full, nobody is told anything without having waited
 * once: right and wrong codes get the same answer, and after the wait one code is looked up. The wait grows with the unknown codes of a caller, so
 * that a family waits some seconds and a guesser hours. A lookup costs two short statements on one row more; when that row cannot be had nothing is looked up.
 */
export function codeGuard(db: Db, clock: Clock) {
  const takePlace = async (): Promise<boolean> => {
    const now = clock.now();
    const drained = sql<number>`greatest(0, buckets.level - greatest(0, extract(epoch from ${now}::timestamptz - buckets.time)) * ${serverLimits.unknown_codes_per_minute / 60}::double precision)`;
    const row = await db
      .insertInto('buckets')
      .values({ name: bucket, level: 1, time: now })
      .onConflict((oc) =>
        oc
          .column('name')
          .doUpdateSet({ level: sql<number>`${drained} + 1`, time: sql<Date>`greatest(buckets.time, ${now}::timestamptz)` })
          .where(sql<boolean>`${drained} + 1 <= ${serverLimits.unknown_codes}`),
      )
      .returning('level')
      .executeTakeFirst();
    return row !== undefined;
  };
  const givePlaceBack = () =>
    db.updateTable('buckets').set({ level: sql<number>`greatest(0, level - 1)` }).where('name', '=', bucket).execute();

  /** Returns for a caller who has waited, once for each wait. Refuses `code_wait` otherwise, and says for how long. */
  const mustHaveWaited = async (caller: string): Promise<void> => {
    const now = clock.now();
    const { numUpdatedRows } = await db
      .updateTable('code_callers')
      .set({ ready: null })
      .where('caller', '=', caller)
      .where('ready', '<=', now)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
    const [first, longest] = [serverLimits.code_wait / 1000, serverLimits.code_wait_max / 1000];
    const wait = sql`make_interval(secs => least(${longest}::double precision, ${first}::double precision * power(4, least(code_callers.unknown, 10))))`;
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
    // Whoever calls from the same house as the server, or through a proxy that says nothing, may be anybody: their typing errors are not one caller's.
    if (!isFarCaller(caller)) return;
    await db
      .insertInto('code_callers')
      .values({ caller, unknown: 1, ends: after(clock.now(), day) })
      .onConflict((oc) => oc.column('caller').doUpdateSet({ unknown: sql<number>`code_callers.unknown + 1` }))
      .execute();
  };

  return {
    /** Runs `look`, which answers null for a code that nobody knows. `caller`: as `callerOf` gives it. Refuses `code_wait` before anything is looked up. */
    async lookUp<T extends object>(caller: string, look: () => Promise<T | null>): Promise<T | null> {
      const place = await takePlace();
      if (!place) await mustHaveWaited(caller);
      const found = await look();
      if (found === null) await countUnknown(caller);
      else if (place) await givePlaceBack();
      return found;
    },

    /** Someone logged in from there: their first code is not kept waiting. It makes up for no unknown code. */
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
