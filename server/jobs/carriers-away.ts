import type { Db, Trx } from '../db/open.ts';
import { after, type Clock } from '../lib/clock.ts';

/**
 * In milliseconds. While a message waits, its carrier is tried every few seconds. A row that nobody has tried for so long was left by a server
 * that has ended.
 */
const tried_within = 3_600_000;

/** The carriers that accept nothing, by whichever server found it. There are as many rows as carriers. */
export const carriersAway = (db: Db | Trx, clock: Clock) =>
  db.selectFrom('carriers_away').select(['carrier', 'since', 'reason']).where('tried', '>', after(clock.now(), -tried_within)).execute();
