import { type UnlistedProtection, unlistedDefaults } from '@porchlight/contract/unlisted-protection.ts';
import type { Db, Trx } from '../../db/open.ts';

export type UnlistedProtectionStore = ReturnType<typeof unlistedProtectionStore>;

export function unlistedProtectionStore(db: Db) {
  const of = async (account: string, dbOrTrx: Db | Trx = db): Promise<UnlistedProtection> => {
    const row = await dbOrTrx
      .selectFrom('unlisted_protection')
      .select(['pasted_commands', 'new_programs', 'doors', 'money_pages', 'money_sites', 'money_open'])
      .where('account', '=', account)
      .executeTakeFirst();
    return row ?? unlistedDefaults;
  };

  return {
    of,

    /** Locks the account, so that simultaneous changes run one after the other. */
    async ofLocked(trx: Trx, account: string): Promise<UnlistedProtection> {
      // Not `for update`, which could deadlock with a device's report that references the account.
      await trx.selectFrom('accounts').select('uuid').where('uuid', '=', account).forNoKeyUpdate().execute();
      return of(account, trx);
    },

    set: (trx: Trx, account: string, choice: UnlistedProtection) =>
      trx
        .insertInto('unlisted_protection')
        .values({ account, ...choice })
        .onConflict((oc) => oc.column('account').doUpdateSet(choice))
        .execute(),
  };
}
