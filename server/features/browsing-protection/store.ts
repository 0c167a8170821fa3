import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import { lockAccount } from '../../db/lock-account.ts';
import type { Db, Trx } from '../../db/open.ts';

export type BrowsingProtectionStore = ReturnType<typeof browsingProtectionStore>;

const defaultChoice: BrowsingProtection = { browsers: true, resolver: 'network' };

export function browsingProtectionStore(db: Db) {
  const of = async (account: string, dbOrTrx: Db | Trx = db): Promise<BrowsingProtection> => {
    const row = await dbOrTrx
      .selectFrom('browsing_protection')
      .select(['browsers', 'resolver'])
      .where('account', '=', account)
      .executeTakeFirst();
    return row ?? defaultChoice;
  };

  return {
    of,

    /** Locks the account. */
    async ofLocked(trx: Trx, account: string): Promise<BrowsingProtection> {
      await lockAccount(trx, account);
      return of(account, trx);
    },

    set: (trx: Trx, account: string, choice: BrowsingProtection) =>
      trx
        .insertInto('browsing_protection')
        .values({ account, ...choice })
        .onConflict((oc) => oc.column('account').doUpdateSet(choice))
        .execute(),
  };
}
