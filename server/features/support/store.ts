import type { ThirdPartySupport } from '@porchlight/contract/support.ts';
import type { Db } from '../../db/open.ts';

/** Support details of accounts whose support contact is not the operator (1.4). Null values are hidden; a null title means the default. */
export function supportStore(db: Db) {
  return {
    async of(account: string): Promise<ThirdPartySupport | null> {
      const row = await db
        .selectFrom('support_details')
        .select(['email', 'phone', 'title', 'description', 'exclusive', 'link', 'linktext'])
        .where('account', '=', account)
        .executeTakeFirst();
      return row ?? null;
    },

    set: (account: string, details: ThirdPartySupport) =>
      db
        .insertInto('support_details')
        .values({ account, ...details })
        .onConflict((oc) => oc.column('account').doUpdateSet(details))
        .execute(),

    async clear(account: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('support_details').where('account', '=', account).executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
