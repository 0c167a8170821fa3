import { limits } from '@porchlight/contract/limits.ts';
import type { PromoCode } from '@porchlight/contract/subscriptions.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type PromoStore = ReturnType<typeof promoStore>;
/** What a promo takes off, and for how long; `redeem_by` is the last moment at which it can be used. */
export type NewPromo = Omit<PromoCode, 'redeem_by'> & { redeem_by: Date | null };

/** What is taken off the price for whoever comes with a code (3.10). Case does not matter in a code. */
export function promoStore(db: Db, clock: Clock) {
  const find = async (code: string, on: Db | Trx = db) => {
    if (code.trim().length > limits.promo_code_max) return undefined;
    return on
      .selectFrom('promo_codes')
      .selectAll()
      .where((eb) => eb(eb.fn<string>('lower', ['code']), '=', code.trim().toLowerCase()))
      .executeTakeFirst();
  };
  const hasEnded = (promo: { redeem_by: Date | null }) => promo.redeem_by !== null && promo.redeem_by <= clock.now();

  return {
    /** `ended` when it can no longer be used, null when there is none. */
    async look(code: string): Promise<PromoCode | 'ended' | null> {
      const promo = await find(code);
      if (!promo) return null;
      return hasEnded(promo) ? 'ended' : { ...promo, redeem_by: promo.redeem_by && Math.floor(promo.redeem_by.getTime() / 1000) };
    },

    /** How the code is really written, of a promo that can be used now; null of any other, because a bad offer stops nobody (8.16). */
    async liveCode(code: string, on: Db | Trx = db): Promise<string | null> {
      const promo = await find(code, on);
      return promo && !hasEnded(promo) ? promo.code : null;
    },

    /** False when the code is taken. */
    async create(promo: NewPromo): Promise<boolean> {
      const made = await db
        .insertInto('promo_codes')
        .values({ ...promo, created: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirst();
      return made.numInsertedOrUpdatedRows === 1n;
    },

    list: () => db.selectFrom('promo_codes').selectAll().orderBy('created', 'desc').orderBy('code').execute(),
  };
}
