import { sql } from 'kysely';
import type { Trx } from '../../db/open.ts';
import { after } from '../../lib/clock.ts';

const hour = 3_600_000;
/** The server was down between two notes that are further apart. It notes its uptime once an hour. */
const longestGap = 2 * hour;
/** Longer than anybody waits for a device (7 days). */
const keep = 30 * 24 * hour;

/**
 * Extends the current interval of uptime, so that only uptime counts as an outage of a device: not the days in which all servers were
 * down, nor those by which a clock was wrong. For all servers together; called once an hour by one of them.
 */
export async function hear(trx: Trx, now: Date): Promise<void> {
  // One after the other: the stretches must not overlap.
  await sql`lock table server_uptime in exclusive mode`.execute(trx);
  // The clock was ahead, and has been put right.
  await trx.deleteFrom('server_uptime').where('since', '>', now).execute();
  await trx.updateTable('server_uptime').set({ until: now }).where('until', '>', now).execute();
  const extended = await trx
    .updateTable('server_uptime')
    .set({ until: now })
    .where('until', '>=', after(now, -longestGap))
    .returning('since')
    .execute();
  if (!extended.length) await trx.insertInto('server_uptime').values({ since: now, until: now }).execute();
  await trx.deleteFrom('server_uptime').where('until', '<', after(now, -keep)).execute();
}

/** For how many seconds since a moment (a column) a server could hear. */
export function uptimeSince(moment: string) {
  return sql<number>`(select coalesce(sum(extract(epoch from h.until - greatest(h.since, ${sql.ref(moment)}))), 0)
    from server_uptime as h where h.until > ${sql.ref(moment)})`;
}
