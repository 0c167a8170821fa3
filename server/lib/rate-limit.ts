import type { ErrorCode } from '@porchlight/contract/errors.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/open.ts';
import type { Clock } from './clock.ts';
import { fail } from './errors.ts';

export interface Rate {
  /** `max` attempts in `per` milliseconds. */
  max: number;
  per: number;
}

/** Throws `refusal` (default `too_many`, 429) above the limit. All servers share the counts, and they survive a restart. */
export type Limit = (action: string, caller: string, rate: Rate, refusal?: ErrorCode) => Promise<void>;

export function limiter(db: Db, clock: Clock): Limit {
  const countAttempt = attemptCounter(clock);
  return async (action, caller, rate, refusal = 'too_many') => {
    const { count, ends } = await countAttempt(db, action, caller, rate.per);
    if (count > rate.max) fail(refusal, { retry_after: (ends.getTime() - clock.now().getTime()) / 1000 });
  };
}

/** Counts an attempt, and refuses nothing. Returns how many there are within `per` milliseconds, and when that time ends. */
export type CountAttempt = (connection: Db | Trx, action: string, caller: string, per: number) => Promise<{ count: number; ends: Date }>;

export function attemptCounter(clock: Clock): CountAttempt {
  return (connection, action, caller, per) => {
    const now = clock.now();
    const ends = new Date(now.getTime() + per);
    return connection
      .insertInto('rate_counts')
      .values({ key: keyOf(action, caller), count: 1, ends })
      .onConflict((oc) =>
        oc.column('key').doUpdateSet({
          count: sql<number>`case when rate_counts.ends <= ${now} then 1 else rate_counts.count + 1 end`,
          ends: sql<Date>`case when rate_counts.ends <= ${now} then excluded.ends else rate_counts.ends end`,
        }),
      )
      .returning(['count', 'ends'])
      .executeTakeFirstOrThrow();
  };
}

/** Takes back one attempt that `Limit` counted. */
export type GiveBack = (action: string, caller: string) => Promise<void>;

export function attemptsBack(db: Db): GiveBack {
  return async (action, caller) => {
    await db
      .updateTable('rate_counts')
      .set({ count: sql<number>`greatest(0, count - 1)` })
      .where('key', '=', keyOf(action, caller))
      .execute();
  };
}

const keyOf = (action: string, caller: string) => `${action}:${caller.toLowerCase()}`;
