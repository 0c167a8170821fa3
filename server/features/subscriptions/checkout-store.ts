import { lockAccount } from '../../db/lock-account.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type CheckoutStore = ReturnType<typeof checkoutStore>;

/** Stripe's payment pages. */
export function checkoutStore(db: Db, clock: Clock) {
  return {
    of: (account: string) =>
      db.selectFrom('checkouts').selectAll().where('account', '=', account).orderBy('created').orderBy('id').execute(),

    /** Stores the open page, marks other pages as closed and returns them. The lock orders simultaneous calls. */
    open: (account: string, page: { id: string; price: string; promo: string | null }): Promise<string[]> =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, account);
        const now = clock.now();
        const otherPages = await trx
          .updateTable('checkouts')
          .set({ done_at: now })
          .where('account', '=', account)
          .where('id', '!=', page.id)
          .where('done_at', 'is', null)
          .returning('id')
          .execute();
        await trx
          .insertInto('checkouts')
          .values({ ...page, account, created: now })
          .onConflict((oc) => oc.doNothing())
          .execute();
        return otherPages.map(({ id }) => id);
      }),

    async done(id: string): Promise<void> {
      await db.updateTable('checkouts').set({ done_at: clock.now() }).where('id', '=', id).where('done_at', 'is', null).execute();
    },

    async allDone(trx: Trx, account: string): Promise<void> {
      await trx
        .updateTable('checkouts')
        .set({ done_at: clock.now() })
        .where('account', '=', account)
        .where('done_at', 'is', null)
        .execute();
    },
  };
}
