import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type AcknowledgementStore = ReturnType<typeof acknowledgementStore>;

/** *I’m on it*: which guardians acknowledged which alert (P5.2). */
export function acknowledgementStore(db: Db, clock: Clock) {
  return {
    /** Stores a guardian's acknowledgement; later ones of the same alert are ignored. */
    add: (trx: Trx, guardian: { uuid: string; account: string; name: string }, alert: string) =>
      trx
        .insertInto('alerts_seen')
        .values({ account: guardian.account, alert, guardian: guardian.uuid, name: guardian.name, time: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .execute(),

    async by(guardian: { uuid: string; account: string }): Promise<Map<string, Date>> {
      const rows = await db
        .selectFrom('alerts_seen')
        .select(['alert', 'time'])
        .where('account', '=', guardian.account)
        .where('guardian', '=', guardian.uuid)
        .execute();
      return new Map(rows.map(({ alert, time }) => [alert, time]));
    },

    /** All acknowledgements of these alerts, by alert, oldest first. */
    async of(account: string, alerts: string[]): Promise<Map<string, { name: string; time: string }[]>> {
      const timesByAlert = new Map<string, { name: string; time: string }[]>(alerts.map((alert) => [alert, []]));
      if (alerts.length === 0) return timesByAlert;
      const rows = await db
        .selectFrom('alerts_seen')
        .select(['alert', 'name', 'time'])
        .where('account', '=', account)
        .where('alert', 'in', alerts)
        .orderBy('time')
        .orderBy('guardian')
        .execute();
      for (const { alert, name, time } of rows) timesByAlert.get(alert)?.push({ name, time: time.toISOString() });
      return timesByAlert;
    },
  };
}
