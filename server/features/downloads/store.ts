import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export function freeDownloadStore(db: Db, clock: Clock) {
  return {
    /** Stores an email address once, regardless of case, with the first date. */
    agreed: (email: string) =>
      db
        .insertInto('free_downloads')
        .values({ email, agreed: clock.now() })
        .onConflict((oc) => oc.expression(sql`lower(email)`).doNothing())
        .execute(),
  };
}
