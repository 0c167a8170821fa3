import type { Trx } from '../../db/open.ts';
import type { OwnReachDeps } from './own-reach.ts';
import { phoneOf } from './rules.ts';
import type { GuardianStore } from './store.ts';

export interface MailEndDeps extends Pick<OwnReachDeps, 'unreached'> {
  store: Pick<GuardianStore, 'mailEnding' | 'setReach'>;
  /** Whether an incident of the account is open. */
  isInIncident(account: string, trx: Trx): Promise<boolean>;
}

/**
 * Ends the emails of guardians who unsubscribed in an incident, once it is over (P5.5). Notifications decide by themselves who gets them, so
 * this may run late; it must run before another incident opens.
 */
export const mailEnds =
  ({ store, isInIncident, unreached }: MailEndDeps) =>
  async (trx: Trx, account: string): Promise<void> => {
    const ending = await store.mailEnding(trx, account);
    if (!ending.length || (await isInIncident(account, trx))) return;
    for (const guardian of ending) {
      await store.setReach(trx, guardian.uuid, { mail: false });
      await unreached(trx, { ...guardian, mail: false, phone: phoneOf(guardian) });
    }
  };
