import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { JobHandlers } from '../../jobs/worker.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { AlertUrl } from '../../ports.ts';
import { isSite, mayBeQuiet } from './rules.ts';
import type { NewDetection } from './store.ts';

export interface QuietDeps extends Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'notify'> {
  alertUrl: AlertUrl;
  isInIncident(account: string, connection: Db | Trx): Promise<boolean>;
  /** Whether somebody helps at a computer by an appointment. */
  isHelping(account: string, connection: Db | Trx): Promise<boolean>;
  zoneOf(account: string, connection: Db | Trx): Promise<string>;
}

/** Alerts about which nothing can be lost in the next minutes: one email each, and a flood of them in one (P15.9). */
export function quietAlerts({ db, clock, enqueue, notify, alertUrl, ...asks }: QuietDeps) {
  /** The newest quiet alerts of a day, a waiting one first: while one waits, those after it wait too. */
  const newestOf = (trx: Trx, account: string) =>
    trx
      .selectFrom('detections')
      .select('quiet')
      .where('account', '=', account)
      .where('quiet', 'is not', null)
      .where('received', '>', after(clock.now(), -serverLimits.quiet_alerts_per))
      .orderBy('received', 'desc')
      .orderBy('quiet', 'desc')
      .limit(serverLimits.quiet_alerts_alone)
      .execute();

  /** Whether a scammer may be at one of the account's computers, or on the phone. */
  const isOnTheLine = async (trx: Trx, account: string): Promise<boolean> => {
    if ((await asks.isInIncident(account, trx)) || (await asks.isHelping(account, trx))) return true;
    const row = await trx
      .selectFrom('detections')
      .select('uuid')
      .where('account', '=', account)
      .where('category', 'in', ['RemoteControl', 'PastedCommand'])
      .where('counted_into', 'is', null)
      .where('time', '>', after(clock.now(), -serverLimits.on_the_line))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  };

  /**
   * Stores which of a device's new alerts are quiet, and queues the email about those that wait. The quiet ones of one account are sorted one
   * report at a time, so that two computers together send as many emails as one does.
   */
  const sort = async (trx: Trx, { uuid, account }: { uuid: string; account: string }, alerts: NewDetection[]) => {
    const sorted = new Map<string, 'alone' | 'waiting'>();
    const candidates = alerts.filter(mayBeQuiet);
    if (!candidates.length || (await isOnTheLine(trx, account))) return sorted;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`quiet_alerts:${account}`}, 0))`.execute(trx);
    const newest = await newestOf(trx, account);
    const waits = newest[0]?.quiet === 'waiting';
    const alone = waits ? 0 : serverLimits.quiet_alerts_alone - newest.length;
    for (const [n, alert] of candidates.entries()) sorted.set(alert.uuid, n < alone ? 'alone' : 'waiting');
    for (const quiet of ['alone', 'waiting'] as const) {
      const uuids = [...sorted.keys()].filter((one) => sorted.get(one) === quiet);
      if (uuids.length) await trx.updateTable('detections').set({ quiet }).where('device', '=', uuid).where('uuid', 'in', uuids).execute();
    }
    const first = candidates[Math.max(0, alone)];
    if (first && !waits) {
      const time = after(clock.now(), serverLimits.quiet_alerts_per);
      await enqueue(trx, 'quiet_alerts', `quiet_alerts:${uuid}:${first.uuid}`, { account, alert: first.uuid }, time);
    }
    return sorted;
  };

  const jobs: Pick<JobHandlers, 'quiet_alerts'> = {
    quiet_alerts: ({ account, alert }) =>
      db.transaction().execute(async (trx) => {
        const rows = await trx
          .updateTable('detections')
          .set({ quiet: 'together' })
          .from('devices')
          .whereRef('devices.uuid', '=', 'detections.device')
          .where('detections.account', '=', account)
          .where('quiet', '=', 'waiting')
          .returning(['detections.name', 'detections.category', 'detections.details', 'detections.time', 'devices.name as device'])
          .execute();
        const inOrder = rows.toSorted((a, b) => a.time.getTime() - b.time.getTime());
        const since = inOrder[0]?.time;
        if (!since) return;
        const found = inOrder.map((row) => ({ name: row.name, device: row.device, site: isSite(row) }));
        const url = await alertUrl(trx, account, alert);
        const time_zone = await asks.zoneOf(account, trx);
        await notify(trx, account, { kind: 'quiet_alerts', facts: { alert, url, found, since, time_zone } });
      }),
  };
  return { sort, jobs };
}
