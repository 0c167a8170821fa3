import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import type { Handlers } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { AccountEmails } from './account-emails.ts';
import { validLink } from './emailed-links.ts';
import { emailChangedEmail } from './emails.ts';
import type { LinkStore } from './links.ts';
import type { SessionStore } from './sessions.ts';
import type { AccountStore } from './store.ts';

export interface EmailChangeDeps extends Pick<Kernel, 'db' | 'clock' | 'limit' | 'weakening' | 'events'> {
  store: AccountStore;
  links: LinkStore;
  sessions: SessionStore;
  mails: AccountEmails;
}

/** A new address takes effect once confirmed. The old address receives an undo link for 7 days (P2.4). */
export function emailChangeRoutes(deps: EmailChangeDeps): Pick<Handlers<typeof accountEndpoints>, 'POST /confirm-email-change'> {
  const { db, store, links, sessions, limit, mails } = deps;
  return {
    'POST /confirm-email-change': async (call) => {
      const { body, ip } = call;
      await limit('link', ip, { max: 30, per: 600_000 });
      // Links never move between accounts, so the account is known before the transaction.
      const { account } = await db.transaction().execute((trx) => validLink(deps, trx, body.token, ['change', 'undo']));
      return deps.weakening(weakeningCall({ ...call, account, session: null }), async (trx, weaken) => {
        const link = await validLink(deps, trx, body.token, ['change', 'undo']);
        const outcome = link.purpose === 'undo' ? 'undone' : 'changed';
        if (link.used) return { done: outcome, already_confirmed: true };
        const previousAccount = await store.byUuid(link.account, trx);
        if (outcome === 'changed' && previousAccount.pending_email !== link.email) fail('link_invalid');
        await links.use(trx, body.token);
        if (!(await store.setEmail(trx, link.account, link.email))) fail('email_taken');
        await deps.events.emit(trx, 'policy_changed', { account: link.account, device: null });
        // Links sent to the previous address must stop working.
        await links.drop(trx, link.account, ['reset', 'change']);
        // Undoing a change notifies nobody, because it restores the account.
        if (outcome === 'changed' && previousAccount.email_verified) await weaken({ kind: 'email_changed' });
        if (outcome === 'undone') {
          // A thief who undoes their own second change must not invalidate the holder's undo link.
          await links.drop(trx, link.account, ['undo'], link.created);
          await sessions.endAll(trx, link.account);
        } else if (previousAccount.email_verified) {
          // Only a confirmed address gets the undo link, because the link gives its reader the account.
          const token = await links.create(trx, previousAccount, 'undo');
          const undoUrl = mails.url(`/confirm-email-change/${token}?undo=1`);
          await mails.send(trx, previousAccount.email, emailChangedEmail(previousAccount.name, undoUrl));
        }
        return { done: outcome, already_confirmed: false };
      });
    },
  };
}
