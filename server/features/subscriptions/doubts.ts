import type { Db } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { isOpen } from './rules.ts';

export type DoubtStore = ReturnType<typeof doubtStore>;

/** Milliseconds; so long that two nightly checks must agree before a plan ends. */
const minDoubtMs = 20 * 3_600_000;

/**
 * Accounts whose plan Stripe does not know any longer. Stripe does not delete subscriptions, so the likely cause is an error, such as a
 * wrong key, an emptied account or an old backup.
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
  const plans = async () => {
    const rows = await db.selectFrom('subscriptions').select(['account', 'status']).distinct().execute();
    return new Set(rows.filter((row) => isOpen(row)).map(({ account }) => account)).size;
  };

  return {
    waiting,
    plans,

    /** Records that an account's plan is missing at Stripe. `isNew`: not recorded before. */
    async note(account: string): Promise<{ since: Date; believed: boolean; isNew: boolean }> {
      const insertedDoubt = await db
        .insertInto('payment_doubts')
        .values({ account, since: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .returning('account')
        .executeTakeFirst();
      const row = await db.selectFrom('payment_doubts').select(['since', 'believed']).where('account', '=', account).executeTakeFirst();
      return { since: clock.now(), believed: false, ...row, isNew: insertedDoubt !== undefined };
    },

    clear: (account: string) => db.deleteFrom('payment_doubts').where('account', '=', account).execute(),

    /**
     * Whether a missing plan counts as ended: it is missing for long enough, and few plans are. Otherwise the operator must confirm.
     */
    async isBelievable({ since, believed }: { since: Date; believed: boolean }): Promise<boolean> {
      if (believed) return true;
      if (after(since, minDoubtMs) > clock.now()) return false;
      const [missingPlans, openPlans] = [await waiting(), await plans()];
      return missingPlans <= Math.max(maxMissing, openPlans * maxMissingShare) && missingPlans * 2 < openPlans;
    },

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

    /** The operator confirms that these plans are over; each ends at its next sync. Returns their number. */
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

const maxMissing = 3;
const maxMissingShare = 0.05;

export const doubtsInWords = (count: number) =>
  `Stripe says nothing any more of ${count === 1 ? 'a plan that runs' : `${count} plans that run`} here. ${count === 1 ? 'It is' : 'They are'} kept. Is STRIPE_SECRET_KEY the right one, and is everything there at Stripe? See: npm run porchlight -- payments status`;
