import type { Db, Trx } from '../../db/open.ts';
import type { OwnReachDeps } from './own-reach.ts';
import { phoneOf } from './rules.ts';
import type { GuardianStore } from './store.ts';

export interface MailEndDeps extends Pick<OwnReachDeps, 'unreached'> {
  db: Db;
  store: Pick<GuardianStore, 'mailEnding' | 'setReach'>;
  /** Whether an incident of the account is open. */
  isInIncident(account: string, trx: Trx): Promise<boolean>;
}

/**
 * Ends the emails of guardians who unsubscribed in an incident, once it is over (P5.5). Notifications decide by themselves who gets them, so
 * this may run late; it must run before another incident opens.
 */
export function mailEnds({ db, store, isInIncident, unreached }: MailEndDeps) {
  const settle = async (trx: Trx, account: string): Promise<void> => {
    const ending = await store.mailEnding(trx, account);
    if (!ending.length || (await isInIncident(account, trx))) return;
    for (const guardian of ending) {
      await store.setReach(trx, guardian.uuid, { mail: false });
      await unreached(trx, { ...guardian, mail: false, phone: phoneOf(guardian) });
    }
  };

  return {
    settle,

    async settleAll(): Promise<void> {
      const accounts = new Set((await store.mailEnding(db, null)).map(({ account }) => account));
      for (const account of accounts) await db.transaction().execute((trx) => settle(trx, account));
    },
  };
}
