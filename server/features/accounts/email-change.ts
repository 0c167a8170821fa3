import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Handlers } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { WeakeningGate } from '../../ports.ts';
import type { AccountEmails } from './account-emails.ts';
import { liveLink } from './emailed-links.ts';
import { emailChangedEmail } from './emails.ts';
import type { LinkStore } from './links.ts';
import type { SessionStore } from './sessions.ts';
import type { AccountStore } from './store.ts';

export interface EmailChangeDeps {
  db: Db;
  clock: Clock;
  store: AccountStore;
  links: LinkStore;
  sessions: SessionStore;
  limit: Limit;
  mails: AccountEmails;
  /** The gate of everything that weakens protection: may it be done, and who is told of it. */
  weaken: WeakeningGate;
  /** What each device says of whose it is has changed. */
  holderChanged(trx: Trx, account: string): Promise<void>;
}

/** A new address counts once it is confirmed; the old one is told, and can take it back for 7 days (P2.4). */
export function emailChangeRoutes(deps: EmailChangeDeps): Pick<Handlers<typeof accountEndpoints>, 'POST /confirm-email-change'> {
  const { db, store, links, sessions, limit, mails } = deps;
  return {
    'POST /confirm-email-change': async ({ body, ip }) => {
      await limit('link', ip, { max: 30, per: 600_000 });
      return db.transaction().execute(async (trx) => {
        const link = await liveLink(deps, trx, body.token, ['change', 'undo']);
        const done = link.purpose === 'undo' ? 'undone' : 'changed';
        if (link.used) return { done, already_confirmed: true };
        const before = await store.byUuid(link.account, trx);
        if (done === 'changed' && before.pending_email !== link.email) fail('link_invalid');
        await links.use(trx, body.token);
        if (!(await store.setEmail(trx, link.account, link.email))) fail('email_taken');
        await deps.holderChanged(trx, link.account);
        // What was mailed to the address that counted before must not open the account any more.
        await links.drop(trx, link.account, ['reset', 'change']);
        // Taking it back is the remedy, and silent.
        if (done === 'changed' && before.email_verified) await deps.weaken(trx, link.account, { kind: 'email_changed' });
        if (done === 'undone') {
          // Only of what came after it: a thief who takes back their own second change must not end the link of the first owner.
          await links.drop(trx, link.account, ['undo'], link.created);
          await sessions.endAll(trx, link.account);
        } else if (before.email_verified) {
          // Only to an address that was proved theirs: this link gives the account to whoever reads it.
          const token = await links.create(trx, before, 'undo');
          const undo = mails.url(`/confirm-email-change/${token}?undo=1`);
          await mails.send(trx, before.email, emailChangedEmail(before.name, undo));
        }
        return { done, already_confirmed: false };
      });
    },
  };
}
