import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db } from './open.ts';

/** So long a link from a mail can say that it is too old, or that it was used already. */
const keep_links = 30 * 24 * 3_600_000;

/** So long an operator can look up what was spent. */
const keep_budgets = 30 * 24 * 3_600_000;

/**
 * Deletes what counts no more: counts of tries, budgets of past days, networks, logins that nobody used for too long, links from mails, and
 * what could not be sent and nobody has sent again.
 */
export const deleteExpired = (db: Db) => async (now: Date) => {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await db.deleteFrom('rate_counts').where('ends', '<=', now).execute();
  await db.deleteFrom('code_callers').where('ends', '<=', now).execute();
  await db.deleteFrom('known_networks').where('used', '<=', ago(serverLimits.network_known)).execute();
  await db.deleteFrom('budgets').where('day', '<=', ago(keep_budgets).toISOString().slice(0, 10)).execute();
  await db.deleteFrom('sessions').where('last_used', '<=', ago(serverLimits.session_unused)).execute();
  await db.deleteFrom('jobs').where('failed_at', '<=', ago(serverLimits.dead_letter_life)).execute();
  await db.deleteFrom('email_links').where('expires', '<=', ago(keep_links)).execute();
};
