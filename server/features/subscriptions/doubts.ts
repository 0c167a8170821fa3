import type { Db } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { isOpen } from './rules.ts';

export type DoubtStore = ReturnType<typeof doubtStore>;

/** How long a plan of which Stripe suddenly knows nothing is kept at least, in milliseconds: so that two nights say the same. */
const kept_for = 20 * 3_600_000;

/**
 * Accounts with a plan that runs here and of which Stripe does not say that it ended: it says nothing of it any more. Stripe forgets no
 * subscription, so the likely reason is a fault of ours or of the operator: another key, an account that was emptied, a backup of another day.
 */
export function doubtStore(db: Db, clock: Clock) {
  const waiting = async () => {
    const { n } = await db
      .selectFrom('payment_doubts')
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .where('believed', '=', false)
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  /** How many accounts have a plan that runs. */
  const plans = async () => {
    const rows = await db.selectFrom('subscriptions').select(['account', 'status']).distinct().execute();
    return new Set(rows.filter((row) => isOpen(row)).map(({ account }) => account)).size;
  };

  return {
    waiting,
    plans,

    /** Notes that Stripe knows nothing of the plan of an account. `isNew`: that was not known yet. */
    async note(account: string): Promise<{ since: Date; believed: boolean; isNew: boolean }> {
      const made = await db
        .insertInto('payment_doubts')
        .values({ account, since: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .returning('account')
        .executeTakeFirst();
      const row = await db.selectFrom('payment_doubts').select(['since', 'believed']).where('account', '=', account).executeTakeFirst();
      return { since: clock.now(), believed: false, ...row, isNew: made !== undefined };
    },

    clear: (account: string) => db.deleteFrom('payment_doubts').where('account', '=', account).execute(),

    /** One that has waited and is one of few is true: somebody removed it at Stripe. Of many at once, or of half of all, the operator says it. */
    async isBelievable({ since, believed }: { since: Date; believed: boolean }): Promise<boolean> {
      if (believed) return true;
      if (after(since, kept_for) > clock.now()) return false;
      const [many, all] = [await waiting(), await plans()];
      return many <= Math.max(few, all * few_of_all) && many * 2 < all;
    },

    /** Since when the oldest waits; null where none does. */
    async oldest(): Promise<Date | null> {
      const row = await db
        .selectFrom('payment_doubts')
        .select('since')
        .where('believed', '=', false)
        .orderBy('since')
        .limit(1)
        .executeTakeFirst();
      return row?.since ?? null;
    },

    /** The operator says that these plans are over: the next look at each ends it. Answers how many. */
    async believeAll(): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('payment_doubts')
        .set({ believed: true })
        .where('believed', '=', false)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
}

const few = 3;
const few_of_all = 0.05;

/** For the operator. */
export const doubtsInWords = (many: number) =>
  `Stripe says nothing any more of ${many === 1 ? 'a plan that runs' : `${many} plans that run`} here. ${many === 1 ? 'It is' : 'They are'} kept. Is STRIPE_SECRET_KEY the right one, and is everything there at Stripe? See: npm run porchlight -- payments status`;
