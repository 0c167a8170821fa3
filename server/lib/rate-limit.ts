import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import type { Clock } from './clock.ts';
import { fail } from './errors.ts';

export interface Rate {
  /** So many in `per` milliseconds. */
  max: number;
  per: number;
}

/** Counts a try and refuses with 429 once there were too many. The counts are in the database: they survive a restart and hold for all servers. */
export type Limit = (what: string, who: string, rate: Rate) => Promise<void>;

export function limiter(db: Db, clock: Clock): Limit {
  return async (what, who, rate) => {
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
    if (count > rate.max) fail('too_many', { retry_after: (until.getTime() - now.getTime()) / 1000 });
  };
}
