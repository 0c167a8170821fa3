import type { Db, Trx } from '../../db/open.ts';
import { guardianLink } from './link.ts';
import { phoneOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';

/** The guardians as notifications need them: with the channels that reach them, and the link of their page. */
export function guardianRecipients(store: Pick<GuardianStore, 'active' | 'keyOf'>, dashboard_url: string) {
  const reachOf = (guardian: GuardianRow) => ({ ...guardian, phone: phoneOf(guardian) });

  return {
    reachOf,
    active: async (account: string, connection?: Db | Trx) =>
      (await store.active(account, connection)).map((guardian) => ({
        ...reachOf(guardian),
        link: guardianLink(dashboard_url, guardian, store),
      })),
  };
}
