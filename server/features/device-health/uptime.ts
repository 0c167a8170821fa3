import { sql } from 'kysely';
import type { Trx } from '../../db/open.ts';
import { after } from '../../lib/clock.ts';

const hour = 3_600_000;
/** A longer gap between hourly records means that the server was down. */
const maxGapMs = 2 * hour;
/** Longer than 7 days, the longest wait before people are notified of an offline device. */
const retentionMs = 30 * 24 * hour;

/** Extends the current uptime interval of all servers, once an hour, so that neither downtime nor clock errors count as device outages. */
export async function extendUptime(trx: Trx, now: Date): Promise<void> {
  await sql`lock table server_uptime in exclusive mode`.execute(trx);
  // Removes uptime in the future, recorded while the clock was ahead.
  await trx.deleteFrom('server_uptime').where('since', '>', now).execute();
  await trx.updateTable('server_uptime').set({ until: now }).where('until', '>', now).execute();
  const extended = await trx
    .updateTable('server_uptime')
    .set({ until: now })
    .where('until', '>=', after(now, -maxGapMs))
    .returning('since')
    .execute();
  if (!extended.length) await trx.insertInto('server_uptime').values({ since: now, until: now }).execute();
  await trx.deleteFrom('server_uptime').where('until', '<', after(now, -retentionMs)).execute();
}

/** Seconds of uptime since the time in the column `moment`. */
export function uptimeSince(moment: string) {
  return sql<number>`(select coalesce(sum(extract(epoch from h.until - greatest(h.since, ${sql.ref(moment)}))), 0)
    from server_uptime as h where h.until > ${sql.ref(moment)})`;
}
