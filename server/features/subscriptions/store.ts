import { isValid, mostDevices, type Subscription } from '@porchlight/contract/subscriptions.ts';
import { type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { PolicyPart } from '../../ports.ts';
import { planOf, type StripeSubscription } from './rules.ts';

const subscribedInSql = ['trialing', 'active', 'past_due'];
/** The same as `isValid`, as a part of a statement that reads the account. */
const isValidInSql = (eb: ExpressionBuilder<Tables, 'accounts'>) =>
  eb
    .or([
      eb('accounts.external', '=', true),
      eb('accounts.lifetime', '=', true),
      eb('accounts.device_limit', '>', 0),
      eb.exists(
        eb
          .selectFrom('subscriptions')
          .select('subscriptions.id')
          .whereRef('subscriptions.account', '=', 'accounts.uuid')
          .where('subscriptions.status', 'in', subscribedInSql),
      ),
    ])
    .$castTo<boolean>();

/** Whether the account has a valid plan. */
export const planInPolicy: PolicyPart<boolean, boolean> = {
  found: sql`(select ${isValidInSql(expressionBuilder<Tables, 'accounts'>())} from accounts where accounts.uuid = d.account)`,
  read: (found) => found,
};

export type SubscriptionStore = ReturnType<typeof subscriptionStore>;

/** Milliseconds between calls to Stripe for an account that waits for a payment. */
const pollIntervalMs = 1000;
/** Payment pages last a day; one more hour covers payments in the last minute. */
const checkoutLifeMs = 25 * 3_600_000;

/** Grants and stored subscriptions, without calls to Stripe. */
export function subscriptionStore(db: Db, clock: Clock) {
  const subscriptionOf = async (account: string, connection: Db | Trx = db): Promise<Subscription> => {
    const granted = await connection
      .selectFrom('accounts')
      .select(['device_limit', 'external', 'lifetime', 'register_promo_code'])
      .where('uuid', '=', account)
      .executeTakeFirstOrThrow();
    return planOf(granted, await subs(account, connection));
  };
  const subs = (account: string, connection: Db | Trx = db): Promise<StripeSubscription[]> =>
    connection.selectFrom('subscriptions').selectAll().where('account', '=', account).orderBy('created').execute();
  const customerOf = async (account: string) =>
    (await db.selectFrom('customers').select('id').where('account', '=', account).executeTakeFirst())?.id ?? null;

  return {
    of: subscriptionOf,
    subs,
    isValid: async (account: string, connection: Db | Trx = db) => isValid(await subscriptionOf(account, connection)),
    isValidInSql,
    deviceLimit: async (account: string, connection: Db | Trx = db) => mostDevices(await subscriptionOf(account, connection)),

    accountOf: async (customer: string) =>
      (await db.selectFrom('customers').select('account').where('id', '=', customer).executeTakeFirst())?.account ?? null,
    customersAfter: (previousCustomer: string, max: number) =>
      db.selectFrom('customers').select(['account', 'id']).where('id', '>', previousCustomer).orderBy('id').limit(max).execute(),
    customerOf,
    /** Sets the account's customer unless it has one; returns the current customer, or null when the account is unknown. */
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
    /** Replaces the previous customer unless another call did; returns the current customer. */
    async replaceCustomer(account: string, oldCustomer: string, id: string): Promise<string | null> {
      await db.updateTable('customers').set({ id }).where('account', '=', account).where('id', '=', oldCustomer).execute();
      return customerOf(account);
    },

    /** Numbers a request to Stripe, so that an outdated answer is recognised. */
    nextQuestion: (account: string) =>
      db
        .updateTable('customers')
        .set({ asked: sql`asked + 1` })
        .where('account', '=', account)
        .returning(['id', 'asked'])
        .executeTakeFirst(),

    /** Locks the account's customer. False when a newer answer is already stored. */
    async lockForAnswer(trx: Trx, account: string, questionNumber: number): Promise<boolean> {
      const row = await trx.selectFrom('customers').select('written').where('account', '=', account).forUpdate().executeTakeFirst();
      if (!row || row.written >= questionNumber) return false;
      await trx.updateTable('customers').set({ written: questionNumber }).where('account', '=', account).execute();
      return true;
    },

    async write(trx: Trx, account: string, currentSubs: readonly StripeSubscription[]): Promise<void> {
      const deletion = trx.deleteFrom('subscriptions').where('account', '=', account);
      const ids = currentSubs.map(({ id }) => id);
      await (ids.length ? deletion.where('id', 'not in', ids) : deletion).execute();
      for (const sub of currentSubs) {
        const row = { ...sub, account };
        await trx
          .insertInto('subscriptions')
          .values(row)
          .onConflict((oc) => oc.column('id').doUpdateSet(row))
          .execute();
      }
    },

    /** Whether to call Stripe for an account that opened a payment page and has no plan; at most once a second. */
    async mayPoll(account: string): Promise<boolean> {
      const now = clock.now();
      const updatedRow = await db
        .updateTable('customers')
        .set({ polled: now })
        .where('account', '=', account)
        .where((eb) => eb.or([eb('polled', 'is', null), eb('polled', '<=', after(now, -pollIntervalMs))]))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('checkouts')
              .select('checkouts.id')
              .whereRef('checkouts.account', '=', 'customers.account')
              .where('done_at', 'is', null)
              .where('created', '>', after(now, -checkoutLifeMs)),
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
      return updatedRow.numUpdatedRows === 1n;
    },

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
