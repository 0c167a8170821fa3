import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

/** Who took the free plan and wants to hear from us. */
export function freeDownloadStore(db: Db, clock: Clock) {
  return {
    /** The same address twice, however it is written, is one row with the day of its first yes. */
    agreed: (email: string) =>
      db
        .insertInto('free_downloads')
        .values({ email, agreed: clock.now() })
        .onConflict((oc) => oc.expression(sql`lower(email)`).doNothing())
        .execute(),
  };
}
