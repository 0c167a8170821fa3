import { isValid, mostDevices, type Subscription } from '@porchlight/contract/subscriptions.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { planOf, type Sub } from './rules.ts';

export type SubscriptionStore = ReturnType<typeof subscriptionStore>;

/** How often one person who waits makes us ask Stripe at most, in milliseconds. */
const between_polls = 1000;
/** A payment page can be paid at for a day (Stripe's own rule); what was paid in its last minute is waited for a little longer. */
const checkout_life = 25 * 3_600_000;
const subscribedInSql = ['trialing', 'active', 'past_due'];

/** The plan of an account: what it was granted, and our copy of what Stripe said. Nothing here asks Stripe. */
export function subscriptionStore(db: Db, clock: Clock) {
  const of = async (account: string, on: Db | Trx = db): Promise<Subscription> => {
    const granted = await on
      .selectFrom('accounts')
      .select(['device_limit', 'external', 'lifetime', 'register_promo_code'])
      .where('uuid', '=', account)
      .executeTakeFirstOrThrow();
    return planOf(granted, await subs(account, on));
  };
  const subs = (account: string, on: Db | Trx = db): Promise<Sub[]> =>
    on.selectFrom('subscriptions').selectAll().where('account', '=', account).orderBy('created').execute();
  const customerOf = async (account: string) =>
    (await db.selectFrom('customers').select('id').where('account', '=', account).executeTakeFirst())?.id ?? null;

  return {
    of,
    subs,
    isValid: async (account: string, on: Db | Trx = db) => isValid(await of(account, on)),
    /** How many devices there may be; infinity where there is no limit. */
    deviceLimit: async (account: string, on: Db | Trx = db) => mostDevices(await of(account, on)),

    accountOf: async (customer: string) =>
      (await db.selectFrom('customers').select('account').where('id', '=', customer).executeTakeFirst())?.account ?? null,
    /** After `previous`, which is not one of all at the start. */
    customersAfter: (previous: string, max: number) =>
      db.selectFrom('customers').select(['account', 'id']).where('id', '>', previous).orderBy('id').limit(max).execute(),
    customerOf,
    /** The customer of an account from now on, unless it has one: answers the one it has. Null when there is no such account. */
    async setCustomer(account: string, id: string): Promise<string | null> {
      await db
        .insertInto('customers')
        .columns(['account', 'id'])
        .expression((eb) =>
          eb
            .selectFrom('accounts')
            .select(['uuid', sql<string>`${id}::text`.as('id')])
            .where('uuid', '=', account),
        )
        .onConflict((oc) => oc.doNothing())
        .execute();
      return customerOf(account);
    },
    /** Instead of `old`, unless someone else was faster: answers the one it has now. */
    async replaceCustomer(account: string, old: string, id: string): Promise<string | null> {
      await db.updateTable('customers').set({ id }).where('account', '=', account).where('id', '=', old).execute();
      return customerOf(account);
    },

    /** The next question about an account: whom to ask about, and its number. */
    ask: (account: string) =>
      db
        .updateTable('customers')
        .set({ asked: sql`asked + 1` })
        .where('account', '=', account)
        .returning(['id', 'asked'])
        .executeTakeFirst(),

    /** Waits for others that write about the same account. False when the answer to a newer question stands there already. */
    async lockForAnswer(trx: Trx, account: string, question: number): Promise<boolean> {
      const row = await trx.selectFrom('customers').select('written').where('account', '=', account).forUpdate().executeTakeFirst();
      if (!row || row.written >= question) return false;
      await trx.updateTable('customers').set({ written: question }).where('account', '=', account).execute();
      return true;
    },

    async write(trx: Trx, account: string, now: readonly Sub[]): Promise<void> {
      const gone = trx.deleteFrom('subscriptions').where('account', '=', account);
      const ids = now.map(({ id }) => id);
      await (ids.length ? gone.where('id', 'not in', ids) : gone).execute();
      for (const sub of now) {
        const row = { ...sub, account };
        await trx
          .insertInto('subscriptions')
          .values(row)
          .onConflict((oc) => oc.column('id').doUpdateSet(row))
          .execute();
      }
    },

    /** True once a second at most for each account that waits for a payment: a page to pay at was opened, and no plan has come of it yet. */
    async mayPoll(account: string): Promise<boolean> {
      const now = clock.now();
      const done = await db
        .updateTable('customers')
        .set({ polled: now })
        .where('account', '=', account)
        .where((eb) => eb.or([eb('polled', 'is', null), eb('polled', '<=', after(now, -between_polls))]))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('checkouts')
              .select('checkouts.id')
              .whereRef('checkouts.account', '=', 'customers.account')
              .where('done_at', 'is', null)
              .where('created', '>', after(now, -checkout_life)),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('subscriptions')
                .select('subscriptions.id')
                .whereRef('subscriptions.account', '=', 'customers.account')
                .where('status', 'in', subscribedInSql),
            ),
          ),
        )
        .executeTakeFirst();
      return done.numUpdatedRows === 1n;
    },

    /** Events that were dealt with: Stripe has long given up on those that are older. */
    forgetEvents: (before: Date) => db.deleteFrom('payment_events').where('received', '<', before).execute(),
    knowsEvent: async (id: string) =>
      (await db.selectFrom('payment_events').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
    async noteEvent(event: { id: string; type: string; customer: string | null; created: Date }): Promise<void> {
      await db
        .insertInto('payment_events')
        .values({ ...event, received: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .execute();
    },
  };
}
