import {
  type Channel,
  type DeliveryState,
  type DeliveryTrouble,
  deliveryTrouble,
  type NotificationDelivery,
} from '@porchlight/contract/alerts.ts';
import { deliveryReason } from '@porchlight/contract/words/delivery-reasons.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/open.ts';
import type { Settled } from '../jobs/dead-letters.ts';
import type { Clock } from '../lib/clock.ts';
import { queueFallback } from './fallback-jobs.ts';
import type { Expected } from './notify.ts';
import { type ChannelResults, noResults } from './reach.ts';
import type { Category } from './render/rendering.ts';

export type DeliveryStore = ReturnType<typeof deliveryStore>;

const states = { done: 'sent', again: 'waiting', dead: 'failed' } as const;

/** Each result is stored in the statement that stores the job's result (P5.4). */
export function deliveryStore(db: Db, clock: Clock) {
  const settled: Settled = (dbOrTrx, key, { state, why, attempts }) => {
    const query = dbOrTrx.with('stored', (also) =>
      also
        .updateTable('deliveries')
        .set({ tries: attempts, time: clock.now() })
        // The final status may arrive before the acceptance is stored.
        .set((eb) => ({
          state: eb.case().when('carrier', 'is not', null).then(eb.ref('state')).else(states[state]).end(),
          why: eb.case().when('carrier', 'is not', null).then(eb.ref('why')).else(why).end(),
        }))
        .where('key', '=', key)
        .returning(['key', 'channel', 'state']),
    );
    const whole = state === 'dead' ? query.with('fallback', (also) => queueFallback(also, clock.now())) : query;
    return whole as unknown as ReturnType<Settled>;
  };

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
    storeCarrierStatus: (job: string, status: string) => {
      const stored = db.with('stored', (also) =>
        also
          .updateTable('deliveries')
          .set({
            carrier: status,
            time: clock.now(),
            ...(carrierFailed(status) ? { state: 'failed', why: 'undelivered' } : { state: 'sent' }),
          })
          .where('key', '=', (q) => q.selectFrom('jobs').select('unique_key').where('id', '=', job))
          .where((eb) => eb.or([eb('carrier', 'is', null), eb('carrier', 'not in', ['failed', 'undelivered'])]))
          .returning(['key', 'channel', 'state']),
      );
      return queueFallback(stored, clock.now()).execute();
    },

    /** A delivery that failed permanently, with the job that failed. Null if it is being sent again meanwhile. */
    failed: (trx: Trx, key: string) =>
      trx
        .selectFrom('deliveries')
        .innerJoin('jobs', 'jobs.unique_key', 'deliveries.key')
        .select(['deliveries.account', 'deliveries.kind', 'deliveries.about', 'deliveries.guardian', 'deliveries.name'])
        .select(['deliveries.channel', 'jobs.payload', 'jobs.lane', 'jobs.created'])
        .where('deliveries.key', '=', key)
        .where('deliveries.state', '=', 'failed')
        .forUpdate('deliveries')
        .executeTakeFirst(),

    /** Whether the notification was sent to this person by that channel too, with whatever result. */
    async exists(trx: Trx, { account, kind, about, guardian, channel }: Omit<Expected, 'key' | 'name'>): Promise<boolean> {
      const row = await trx
        .selectFrom('deliveries')
        .select('key')
        .where('account', '=', account)
        .where('kind', '=', kind)
        .where('about', '=', about)
        .where('guardian', 'is not distinct from', guardian)
        .where('channel', '=', channel)
        .executeTakeFirst();
      return row !== undefined;
    },

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
        const why = troubleOf(row);
        const reason = why && deliveryReason(channel, why);
        foundDeliveries.get(row.about)?.push({ name, guardian, channel, state, time: time.toISOString(), why, reason });
      }
      return foundDeliveries;
    },

    /** The newest results of each guardian's channels, by the guardian's uuid. */
    async resultsOf(account: string, dbOrTrx: Db | Trx = db): Promise<Map<string, ChannelResults>> {
      const rows = await dbOrTrx
        .selectFrom('deliveries')
        .selectAll()
        .distinctOn(['guardian', 'channel'])
        .where('account', '=', account)
        .where('guardian', 'is not', null)
        .where('state', '!=', 'waiting')
        // A browser that was switched off has no newer result.
        .where((eb) =>
          eb.or([
            eb('channel', '!=', 'push'),
            eb.exists(
              eb
                .selectFrom('push_subscriptions')
                .select('endpoint_hash')
                .whereRef('push_subscriptions.guardian', '=', 'deliveries.guardian'),
            ),
          ]),
        )
        .orderBy('guardian')
        .orderBy('channel')
        .orderBy('time', 'desc')
        // If two results have the same time, the failure is shown.
        .orderBy(sql`state = 'failed'`, 'desc')
        .execute();
      const results = new Map<string, ChannelResults>();
      for (const row of rows) {
        const { failing, push_works } = results.get(row.guardian ?? '') ?? noResults;
        const why = row.state === 'failed' ? troubleOf(row) : null;
        const trouble =
          why && row.channel !== 'push'
            ? [{ channel: row.channel, since: row.time.toISOString(), why, reason: deliveryReason(row.channel, why) }]
            : [];
        const push = row.channel === 'push' && row.state === 'sent';
        results.set(row.guardian ?? '', { failing: [...failing, ...trouble], push_works: push_works || push });
      }
      return results;
    },

    /** When something was last sent to a guardian successfully; null if nothing was. */
    async lastSent(trx: Trx, account: string, guardian: string): Promise<Date | null> {
      const { last } = await trx
        .selectFrom('deliveries')
        .select((eb) => eb.fn.max<Date | null>('time').as('last'))
        .where('account', '=', account)
        .where('guardian', '=', guardian)
        .where('state', '=', 'sent')
        .executeTakeFirstOrThrow();
      return last;
    },

    /** Whether the newest email to the holder failed permanently, and went to this address. */
    async holderMailFails(account: string, email: string): Promise<boolean> {
      const newest = await db
        .selectFrom('deliveries')
        .leftJoin('jobs', 'jobs.unique_key', 'deliveries.key')
        .select(['deliveries.state', 'jobs.payload'])
        .where('deliveries.account', '=', account)
        .where('deliveries.guardian', 'is', null)
        .where('deliveries.channel', '=', 'mail')
        .where('deliveries.state', '!=', 'waiting')
        .orderBy('deliveries.time', 'desc')
        .orderBy(sql`deliveries.state = 'failed'`, 'desc')
        .limit(1)
        .executeTakeFirst();
      const failedAddress = newest?.state === 'failed' && newest.payload && 'to' in newest.payload ? String(newest.payload.to) : '';
      return failedAddress.toLowerCase() === email.toLowerCase();
    },
  };
}

/** https://www.twilio.com/docs/messaging/api/message-resource#message-status-values */
function carrierFailed(status: string): boolean {
  return status === 'failed' || status === 'undelivered';
}

/** Null when nothing is wrong with the delivery. */
function troubleOf(delivery: { channel: Channel; state: DeliveryState; why: string | null; tries: number }): DeliveryTrouble | null {
  if (delivery.state === 'sent') return null;
  if (delivery.state === 'waiting') return delivery.why === 'ours' ? 'ours' : delivery.tries > 0 ? 'trying' : null;
  const why = deliveryTrouble.safeParse(delivery.why);
  return why.success ? why.data : 'refused';
}
