import type { guardianEndpoints } from '@porchlight/contract/guardians.ts';
import type { Db } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Handlers } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { newToken } from '../../lib/tokens.ts';
import type { NameLookup } from '../../ports.ts';
import { lostLinkEmail } from './emails.ts';
import { guardianLink } from './link.ts';
import { stateOf } from './rules.ts';
import type { GuardianStore } from './store.ts';

export interface LostLinkDeps {
  db: Db;
  clock: Clock;
  store: GuardianStore;
  limit: Limit;
  enqueue: Enqueue;
  dashboard_url: string;
  nameOf: NameLookup;
  /** Where one click ends the mails to this guardian. */
  unsubscribe(uuid: string): string;
}

type LostLink = Pick<Handlers<typeof guardianEndpoints>, 'POST /guardian-link'>;

const minute = 60_000;

/** Asking answers the same for any address, and takes as long: who it belongs to is looked up by a job (P2.2). */
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

/** The job behind it: a mail for each person they look out for, or could. The key stays, so that nobody locks a guardian out with it. */
export function lostLinkMails({ db, clock, store, enqueue, dashboard_url, nameOf, unsubscribe }: Omit<LostLinkDeps, 'limit'>) {
  return (email: string, job: string): Promise<void> =>
    db.transaction().execute(async (trx) => {
      for (const guardian of await store.byEmail(email, trx)) {
        if (!['active', 'pending'].includes(stateOf(guardian, clock.now()))) continue;
        const letter = lostLinkEmail(guardian.name, await nameOf(guardian.account, trx), guardianLink(dashboard_url, guardian, store));
        const mail = { to: guardian.email, ...letter, unsubscribe: unsubscribe(guardian.uuid) };
        await enqueue(trx, 'mail', `guardian-link:${job}:${guardian.uuid}`, mail, undefined, { urgency: 'urgent' });
      }
    });
}
