import { sql } from 'kysely';
import type { Trx } from '../../db/open.ts';
import { extendedUptime } from './uptime-rule.ts';

/** Extends the current uptime interval of all servers, once an hour. The intervals of a month are so few that they are all replaced. */
export async function extendUptime(trx: Trx, now: Date): Promise<void> {
  await sql`lock table server_uptime in exclusive mode`.execute(trx);
  const intervals = await trx.selectFrom('server_uptime').selectAll().execute();
  await trx.deleteFrom('server_uptime').execute();
  await trx.insertInto('server_uptime').values(extendedUptime(intervals, now)).execute();
}

/** Seconds of uptime since the time in the column `moment`. */
export function uptimeSince(moment: string) {
  return sql<number>`(select coalesce(sum(extract(epoch from h.until - greatest(h.since, ${sql.ref(moment)}))), 0)
    from server_uptime as h where h.until > ${sql.ref(moment)})`;
}
