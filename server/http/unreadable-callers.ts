import { hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/open.ts';
import { after, type Clock } from '../lib/clock.ts';

/** In milliseconds. Later than this the proxy may have been set right. */
const stored_for = 7 * 24 * hour;
const header_max = 200;

/** For the operator. `header`: as it came. */
export const unreadableInWords = (header: string): string =>
  `A proxy in front of this server wrote an address that cannot be read: X-Forwarded-For was ${JSON.stringify(header)}. So the limits count all its callers as one, and guardians are asked for a code. Let the proxy write the caller's address alone, and check that TRUST_PROXY is the number of proxies.`;

/** The newest header of the last seven days whose address could not be read (P18.3); null if there is none. */
export async function unreadableHeader(db: Db, clock: Pick<Clock, 'now'>): Promise<string | null> {
  const since = after(clock.now(), -stored_for);
  const row = await db.selectFrom('unreadable_callers').select('header').where('time', '>', since).executeTakeFirst();
  return row?.header ?? null;
}

/** Logs such a header, and stores it for `unreadableHeader`, at most once an hour however many calls come. */
export function unreadableCallers(db: Db, clock: Pick<Clock, 'now'>, log: Pick<Logger, 'warn'>): (header: string) => void {
  let logged = Number.NEGATIVE_INFINITY;
  return (whole) => {
    const now = clock.now();
    if (now.getTime() - logged < hour) return;
    logged = now.getTime();
    // A zero byte cannot be stored.
    const header = whole.slice(0, header_max).replaceAll('\0', ' ');
    log.warn({ operator: true }, unreadableInWords(header));
    db.insertInto('unreadable_callers')
      .values({ header, time: now })
      .onConflict((oc) => oc.column('only_one').doUpdateSet({ header: sql`excluded.header`, time: sql`excluded.time` }))
      .execute()
      .catch((err: unknown) => log.warn({ err }, 'the header could not be stored'));
  };
}
