import type { Db, Trx } from '../../db/open.ts';
import { guardianLink } from './link.ts';
import { phoneOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';

export interface RecipientDeps {
  store: Pick<GuardianStore, 'active' | 'keyOf'>;
  dashboard_url: string;
  isInIncident(account: string, connection?: Db | Trx): Promise<boolean>;
}

/** The guardians as notifications need them: with the channels that reach them, and the link of their page. */
export function guardianRecipients({ store, dashboard_url, isInIncident }: RecipientDeps) {
  const reachOf = (guardian: GuardianRow) => ({ ...guardian, phone: phoneOf(guardian) });

  return {
    reachOf,
    async active(account: string, connection?: Db | Trx) {
      const guardians = await store.active(account, connection);
      const isEnding = guardians.some(({ mail_ends }) => mail_ends !== null);
      const endsLater = isEnding && (await isInIncident(account, connection));
      return guardians.map((guardian) => ({
        ...reachOf(guardian),
        mail: guardian.mail && (guardian.mail_ends === null || endsLater),
        link: guardianLink(dashboard_url, guardian, store),
      }));
    },
  };
}
