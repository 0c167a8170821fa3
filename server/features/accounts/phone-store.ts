import { limits } from '@porchlight/contract/limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';

export type PhoneStore = ReturnType<typeof phoneStore>;

/** Codes that were texted to prove a number, and numbers that asked for no more texts. */
export function phoneStore(db: Db, clock: Clock) {
  return {
    /** The one code that counts from now on; answers until when. */
    async newCode(trx: Trx, account: string, phone_number: string, code_hash: Buffer): Promise<Date> {
      const expires = after(clock.now(), limits.phone_code_life);
      const row = { phone_number, code_hash, expires, tries: 0 };
      await trx
        .insertInto('phone_codes')
        .values({ account, ...row })
        .onConflict((oc) => oc.column('account').doUpdateSet(row))
        .execute();
      return expires;
    },

    /** Locked until the transaction ends, so that guesses at the same moment are counted one by one. */
    code: (trx: Trx, account: string) =>
      trx.selectFrom('phone_codes').selectAll().where('account', '=', account).forUpdate().executeTakeFirst(),

    countTry: (trx: Trx, account: string) =>
      trx
        .updateTable('phone_codes')
        .set((eb) => ({ tries: eb('tries', '+', 1) }))
        .where('account', '=', account)
        .execute(),

    dropCode: (trx: Trx, account: string) => trx.deleteFrom('phone_codes').where('account', '=', account).execute(),

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
