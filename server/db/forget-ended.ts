import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db } from './open.ts';

/** So long a link from a mail can say that it is too old, or that it was used already. */
const keep_links = 30 * 24 * 3_600_000;

/** Deletes what counts no more: counts of tries, logins that nobody used for too long, links from mails. */
export const forgetEnded = (db: Db) => async (now: Date) => {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await db.deleteFrom('rate_counts').where('ends', '<=', now).execute();
  await db.deleteFrom('sessions').where('last_used', '<=', ago(serverLimits.session_unused)).execute();
  await db.deleteFrom('email_links').where('expires', '<=', ago(keep_links)).execute();
};
