import { type UnlistedProtection, unlistedDefaults } from '@porchlight/contract/unlisted-protection.ts';
import { lockAccount } from '../../db/lock-account.ts';
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

    /** Locks the account. */
    async ofLocked(trx: Trx, account: string): Promise<UnlistedProtection> {
      await lockAccount(trx, account);
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
