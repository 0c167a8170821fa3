import type { Db } from '../../db/open.ts';
import type { AccountKeys } from '../../db/owned-rows.ts';
import type { LinkStore } from './links.ts';
import type { AccountStore } from './store.ts';

/** Marks an account's present address as confirmed, for an operator who has seen proof. False if it is, or is another one by now. */
export const addressConfirmation =
  ({ db, store, links }: { db: Db; store: Pick<AccountStore, 'markVerified'>; links: Pick<LinkStore, 'drop'> }) =>
  ({ uuid, email }: AccountKeys): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('accounts')
        .select('email_verified')
        .where('uuid', '=', uuid)
        .where('email', '=', email)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!row || row.email_verified) return false;
      await store.markVerified(trx, uuid);
      await links.drop(trx, uuid, ['confirm']);
      return true;
    });
