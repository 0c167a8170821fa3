import type { NotificationDelivery, Trouble } from '@porchlight/contract/alerts.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/open.ts';
import type { Settled } from '../jobs/worker.ts';
import type { Clock } from '../lib/clock.ts';
import type { Expected } from './notify.ts';
import { carrierFailed, reasonOf } from './reasons.ts';
import type { Category } from './render/rendering.ts';

export type DeliveryStore = ReturnType<typeof deliveryStore>;

const states = { done: 'sent', again: 'waiting', dead: 'failed' } as const;

/** Each result is stored in the statement that stores the job's result (P5.4). */
export function deliveryStore(db: Db, clock: Clock) {
  const settled: Settled = (dbOrTrx, key, { state, why, attempts }) =>
    dbOrTrx.with('told', (also) =>
      also
        .updateTable('deliveries')
        .set({ tries: attempts, time: clock.now() })
        // The final status may arrive before the acceptance is stored.
        .set((eb) => ({
          state: eb.case().when('carrier', 'is not', null).then(eb.ref('state')).else(states[state]).end(),
          why: eb.case().when('carrier', 'is not', null).then(eb.ref('why')).else(why).end(),
        }))
        .where('key', '=', key),
    ) as unknown as ReturnType<Settled>;

  return {
    settled,

    expect: async (trx: Trx, delivery: Expected): Promise<void> => {
      await trx
        .insertInto('deliveries')
        .values({ ...delivery, time: clock.now() })
        .execute();
    },

    /** SMS of these categories, queued since a time, this transaction included. */
    async smsSince(trx: Trx, account: string, kinds: Category[], since: Date): Promise<number> {
      const { count } = await trx
        .selectFrom('deliveries')
        .select((q) => q.fn.countAll<string>().as('count'))
        .where('account', '=', account)
        .where('channel', '=', 'sms')
        .where('time', '>', since)
        .where('kind', 'in', kinds)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** A failure is final: status reports may come in any order. */
    storeCarrierStatus: (job: string, status: string) =>
      db
        .updateTable('deliveries')
        .set({
          carrier: status,
          time: clock.now(),
          ...(carrierFailed(status) ? { state: 'failed', why: 'undelivered' } : { state: 'sent' }),
        })
        .where('key', '=', (q) => q.selectFrom('jobs').select('unique_key').where('id', '=', job))
        .where((eb) => eb.or([eb('carrier', 'is', null), eb('carrier', 'not in', ['failed', 'undelivered'])]))
        .execute(),

    async of(account: string, kind: Category, about: string[], holder = 'You'): Promise<Map<string, NotificationDelivery[]>> {
      const foundDeliveries = new Map<string, NotificationDelivery[]>(about.map((one) => [one, []]));
      if (about.length === 0) return foundDeliveries;
      const rows = await db
        .selectFrom('deliveries')
        .selectAll()
        .where('account', '=', account)
        .where('kind', '=', kind)
        .where('about', 'in', about)
        .orderBy(sql`guardian is not null`)
        .orderBy('name')
        .orderBy('guardian')
        .orderBy('channel')
        .execute();
      for (const row of rows) {
        const { guardian, channel, state, time } = row;
        const name = guardian === null ? holder : row.name;
        foundDeliveries.get(row.about)?.push({ name, guardian, channel, state, time: time.toISOString(), reason: reasonOf(row) });
      }
      return foundDeliveries;
    },

    /** Unreachable guardians by uuid: the channels whose newest result is a failure. */
    async troubleOf(account: string, dbOrTrx: Db | Trx = db): Promise<Map<string, Trouble[]>> {
      const rows = await dbOrTrx
        .selectFrom('deliveries')
        .selectAll()
        .distinctOn(['guardian', 'channel'])
        .where('account', '=', account)
        .where('guardian', 'is not', null)
        .where('channel', '!=', 'push')
        .where('state', '!=', 'waiting')
        .orderBy('guardian')
        .orderBy('channel')
        .orderBy('time', 'desc')
        // If two results have the same time, the failure is shown.
        .orderBy(sql`state = 'failed'`, 'desc')
        .execute();
      const troubles = new Map<string, Trouble[]>();
      for (const row of rows) {
        if (row.state !== 'failed' || row.guardian === null) continue;
        if (row.channel === 'push') continue;
        const trouble = { channel: row.channel, since: row.time.toISOString(), reason: reasonOf(row) ?? '' };
        troubles.set(row.guardian, [...(troubles.get(row.guardian) ?? []), trouble]);
      }
      return troubles;
    },
  };
}
