import type { ErrorCode } from '@porchlight/contract/errors.ts';
import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import type { Clock } from './clock.ts';
import { fail } from './errors.ts';

export interface Rate {
  /** So many in `per` milliseconds. */
  max: number;
  per: number;
}

/** Counts a try and refuses with 429 once there were too many, as `too_many` or by the name that is given. The counts are in the database: they survive a restart and hold for all servers. */
export type Limit = (what: string, who: string, rate: Rate, refusal?: ErrorCode) => Promise<void>;

export function limiter(db: Db, clock: Clock): Limit {
  return async (what, who, rate, refusal = 'too_many') => {
    const now = clock.now();
    const ends = new Date(now.getTime() + rate.per);
    const { count, ends: until } = await db
      .insertInto('rate_counts')
      .values({ key: `${what}:${who.toLowerCase()}`, count: 1, ends })
      .onConflict((oc) =>
        oc.column('key').doUpdateSet({
          count: sql<number>`case when rate_counts.ends <= ${now} then 1 else rate_counts.count + 1 end`,
          ends: sql<Date>`case when rate_counts.ends <= ${now} then excluded.ends else rate_counts.ends end`,
        }),
      )
      .returning(['count', 'ends'])
      .executeTakeFirstOrThrow();
    if (count > rate.max) fail(refusal, { retry_after: (until.getTime() - now.getTime()) / 1000 });
  };
}
