import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PhoneCode, PhoneCodeShelf } from '../../lib/phone-codes.ts';

export type PhoneStore = ReturnType<typeof phoneStore>;

/** Codes that were texted to prove a number, and numbers that asked for no more texts. */
export function phoneStore(db: Db, clock: Clock) {
  return {
    codes: {
      put: (trx: Trx, account: string, code: Omit<PhoneCode, 'tries'>) =>
        trx
          .insertInto('phone_codes')
          .values({ account, ...code, tries: 0 })
          .onConflict((oc) => oc.column('account').doUpdateSet({ ...code, tries: 0 }))
          .execute(),
      locked: (trx: Trx, account: string) =>
        trx.selectFrom('phone_codes').selectAll().where('account', '=', account).forUpdate().executeTakeFirst(),
      countTry: (trx: Trx, account: string) =>
        trx
          .updateTable('phone_codes')
          .set((eb) => ({ tries: eb('tries', '+', 1) }))
          .where('account', '=', account)
          .execute(),
      drop: (trx: Trx, account: string) => trx.deleteFrom('phone_codes').where('account', '=', account).execute(),
    } satisfies PhoneCodeShelf,

    async optedOut(phone_number: string): Promise<boolean> {
      const row = await db.selectFrom('phone_opt_outs').select('since').where('phone_number', '=', phone_number).executeTakeFirst();
      return row !== undefined;
    },

    /** Those of the numbers that want no texts. */
    async optedOutOf(numbers: string[], on: Db | Trx = db): Promise<Set<string>> {
      if (numbers.length === 0) return new Set();
      const rows = await on.selectFrom('phone_opt_outs').select('phone_number').where('phone_number', 'in', numbers).execute();
      return new Set(rows.map(({ phone_number }) => phone_number));
    },

    /** What the carrier told us: this number wants no texts, or takes them again (P5.5). */
    async setOptedOut(phone_number: string, on: boolean, within: Db | Trx = db): Promise<void> {
      if (on) {
        await within
          .insertInto('phone_opt_outs')
          .values({ phone_number, since: clock.now() })
          .onConflict((oc) => oc.doNothing())
          .execute();
      } else await within.deleteFrom('phone_opt_outs').where('phone_number', '=', phone_number).execute();
    },
  };
}
