import type { guardianEndpoints } from '@porchlight/contract/guardians.ts';
import { minute } from '@porchlight/contract/time.ts';
import type { Handlers } from '../../http/bind.ts';
import type { Kernel } from '../../kernel.ts';
import { newToken } from '../../secrets/tokens.ts';
import { lostLinkEmail } from './emails.ts';
import { guardianLink } from './link.ts';
import { stateOf } from './rules.ts';
import type { GuardianStore } from './store.ts';

export interface LostLinkDeps extends Pick<Kernel, 'db' | 'clock' | 'limit' | 'enqueue' | 'nameOf'> {
  store: GuardianStore;
  dashboard_url: string;
  unsubscribe(uuid: string): string;
}

type LostLink = Pick<Handlers<typeof guardianEndpoints>, 'POST /guardian-link'>;

/** A job looks up the address, so that known and unknown addresses get the same answer in the same time (P2.2). */
export function lostLinkRoutes({ db, limit, enqueue }: LostLinkDeps): LostLink {
  return {
    'POST /guardian-link': async ({ body, ip }) => {
      await limit('guardian-link-ip', ip, { max: 10, per: 10 * minute });
      await limit('guardian-link-email', body.email, { max: 5, per: 60 * minute });
      await db.transaction().execute((trx) => enqueue(trx, 'guardian_link', `guardian-link:${newToken()}`, { email: body.email }));
      return {};
    },
  };
}

/** Emails their link to every active or pending guardian with this address. Keys stay valid, so that a stranger's request locks nobody out. */
export function lostLinkMails({ db, clock, store, enqueue, dashboard_url, nameOf, unsubscribe }: Omit<LostLinkDeps, 'limit'>) {
  return (email: string, job: string): Promise<void> =>
    db.transaction().execute(async (trx) => {
      for (const guardian of await store.byEmail(email, trx)) {
        if (!['active', 'pending'].includes(stateOf(guardian, clock.now()))) continue;
        const message = lostLinkEmail(guardian.name, await nameOf(guardian.account, trx), guardianLink(dashboard_url, guardian, store));
        const mail = { to: guardian.email, ...message, unsubscribe: unsubscribe(guardian.uuid) };
        await enqueue(trx, 'mail', `guardian-link:${job}:${guardian.uuid}`, mail, undefined, { urgency: 'urgent' });
      }
    });
}
