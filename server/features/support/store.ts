import type { ThirdPartySupport } from '@porchlight/contract/support.ts';
import type { Db } from '../../db/open.ts';

/** Who helps a person instead of the operator (1.4). A part that is null is not shown; a title that is null is the default one. */
export function supportStore(db: Db) {
  return {
    /** Null: this person asks the operator. */
    async of(account: string): Promise<ThirdPartySupport | null> {
      const row = await db
        .selectFrom('support_details')
        .select(['email', 'phone', 'title', 'description', 'exclusive', 'link', 'linktext'])
        .where('account', '=', account)
        .executeTakeFirst();
      return row ?? null;
    },

    /** In the place of what was there before. */
    set: (account: string, details: ThirdPartySupport) =>
      db
        .insertInto('support_details')
        .values({ account, ...details })
        .onConflict((oc) => oc.column('account').doUpdateSet(details))
        .execute(),

    /** True when there was something. */
    async clear(account: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('support_details').where('account', '=', account).executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
