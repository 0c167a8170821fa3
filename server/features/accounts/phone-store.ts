import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PhoneCode, PhoneCodeStore } from '../../texts/phone-codes.ts';

export type PhoneStore = ReturnType<typeof phoneStore>;

/** Codes that verify a phone number, and numbers that opted out of text messages. */
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
    } satisfies PhoneCodeStore,

    async optedOut(phone_number: string): Promise<boolean> {
      const row = await db.selectFrom('phone_opt_outs').select('since').where('phone_number', '=', phone_number).executeTakeFirst();
      return row !== undefined;
    },

    async optedOutOf(numbers: string[], connection: Db | Trx = db): Promise<Set<string>> {
      if (numbers.length === 0) return new Set();
      const rows = await connection.selectFrom('phone_opt_outs').select('phone_number').where('phone_number', 'in', numbers).execute();
      return new Set(rows.map(({ phone_number }) => phone_number));
    },

    /** They pressed 9 in a call: no calls and no texts, until they send START. */
    optOutByKey: (trx: Trx, phone_number: string) =>
      trx
        .insertInto('phone_opt_outs')
        .values({ phone_number, since: clock.now(), by_key: true })
        .onConflict((oc) => oc.column('phone_number').doUpdateSet({ by_key: true }))
        .execute(),

    /** The carrier took a code for this number, so it has no opt-out there. One by a key in a call stays: a stranger can cause a code. */
    endCarrierOptOut: (phone_number: string) =>
      db.deleteFrom('phone_opt_outs').where('phone_number', '=', phone_number).where('by_key', '=', false).execute(),

    /** Stores an opt-out or opt-in that the carrier reported (P5.5). */
    async setOptedOut(phone_number: string, optedOut: boolean, connection: Db | Trx = db): Promise<void> {
      if (optedOut) {
        await connection
          .insertInto('phone_opt_outs')
          .values({ phone_number, since: clock.now() })
          .onConflict((oc) => oc.doNothing())
          .execute();
      } else await connection.deleteFrom('phone_opt_outs').where('phone_number', '=', phone_number).execute();
    },
  };
}
