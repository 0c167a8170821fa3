import type { Trx } from '../../db/open.ts';
import type { PhoneCodeStore } from '../../texts/phone-codes.ts';

export const guardianCodeStore: PhoneCodeStore = {
  put: (trx: Trx, guardian, code) =>
    trx
      .insertInto('guardian_phone_codes')
      .values({ guardian, ...code, tries: 0 })
      .onConflict((oc) => oc.column('guardian').doUpdateSet({ ...code, tries: 0 }))
      .execute(),
  locked: (trx, guardian) =>
    trx.selectFrom('guardian_phone_codes').selectAll().where('guardian', '=', guardian).forUpdate().executeTakeFirst(),
  countTry: (trx, guardian) =>
    trx
      .updateTable('guardian_phone_codes')
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('guardian', '=', guardian)
      .execute(),
  drop: (trx, guardian) => trx.deleteFrom('guardian_phone_codes').where('guardian', '=', guardian).execute(),
};
