import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type AcknowledgementStore = ReturnType<typeof acknowledgementStore>;

/** Who said *I'm on it* of which alert (P5.2). */
export function acknowledgementStore(db: Db, clock: Clock) {
  return {
    /** The first time counts. */
    add: (trx: Trx, guardian: { uuid: string; account: string; name: string }, alert: string) =>
      trx
        .insertInto('alerts_seen')
        .values({ account: guardian.account, alert, guardian: guardian.uuid, name: guardian.name, time: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .execute(),

    /** When this guardian said it, by the alert. */
    async by(guardian: { uuid: string; account: string }): Promise<Map<string, Date>> {
      const rows = await db
        .selectFrom('alerts_seen')
        .select(['alert', 'time'])
        .where('account', '=', guardian.account)
        .where('guardian', '=', guardian.uuid)
        .execute();
      return new Map(rows.map(({ alert, time }) => [alert, time]));
    },

    /** Everyone who said it of each of these alerts, in the order in which they did; for the holder. */
    async of(account: string, alerts: string[]): Promise<Map<string, { name: string; time: string }[]>> {
      const found = new Map<string, { name: string; time: string }[]>(alerts.map((alert) => [alert, []]));
      if (alerts.length === 0) return found;
      const rows = await db
        .selectFrom('alerts_seen')
        .select(['alert', 'name', 'time'])
        .where('account', '=', account)
        .where('alert', 'in', alerts)
        .orderBy('time')
        .orderBy('guardian')
        .execute();
      for (const { alert, name, time } of rows) found.get(alert)?.push({ name, time: time.toISOString() });
      return found;
    },
  };
}
