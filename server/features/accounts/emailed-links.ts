import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { minute } from '@porchlight/contract/time.ts';
import type { Trx } from '../../db/open.ts';
import type { Handlers } from '../../http/bind.ts';
import type { Kernel } from '../../kernel.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import type { AccountEmails } from './account-emails.ts';
import { type Browsers, browserToken } from './browsers.ts';
import { refuseCommon } from './common-passwords.ts';
import { passwordResetEmail } from './emails.ts';
import type { LinkPurpose, LinkStore } from './links.ts';
import type { SessionStore } from './sessions.ts';
import type { AccountStore } from './store.ts';

export interface EmailedLinkDeps extends Pick<Kernel, 'db' | 'clock' | 'limit' | 'weaken'> {
  store: AccountStore;
  links: LinkStore;
  sessions: SessionStore;
  passwords: Passwords;
  mails: AccountEmails;
  browsers: Browsers;
  secure_cookies: boolean;
}

type EmailedLinks = Pick<
  Handlers<typeof accountEndpoints>,
  'POST /confirm-email' | 'POST /forgot-password' | 'POST /reset-password' | 'POST /web/verify-email'
>;

/** The page's button posts the token of the emailed link (P2.1). */
export function emailedLinkRoutes(deps: EmailedLinkDeps): EmailedLinks {
  const { db, clock, store, links, sessions, passwords, limit, mails, weaken } = deps;
  return {
    'POST /confirm-email': async ({ body, ip }) => {
      await limit('link', ip, { max: 30, per: 10 * minute });
      return db.transaction().execute(async (trx) => {
        const link = await validLink({ clock, links }, trx, body.token, ['confirm']);
        if (link.used) return { already_confirmed: true };
        const { email } = await store.byUuid(link.account, trx);
        if (email !== link.email) fail('link_invalid');
        await links.use(trx, body.token);
        await store.markVerified(trx, link.account);
        return { already_confirmed: false };
      });
    },

    'POST /forgot-password': async ({ body, ip }) => {
      await limit('forgot-ip', ip, { max: 10, per: 10 * minute });
      await limit('forgot-email', body.email, { max: 5, per: 60 * minute });
      await db.transaction().execute((trx) => mails.resetLater(trx, body.email));
      return {};
    },

    'POST /reset-password': async ({ body, ip, request, reply }) => {
      await limit('link', ip, { max: 30, per: 10 * minute });
      refuseCommon(body.password);
      const password_hash = await passwords.hash(body.password);
      await db.transaction().execute(async (trx) => {
        const link = await links.find(trx, body.token, ['reset']);
        if (!link || link.used) fail('reset_invalid');
        if (link.expires <= clock.now()) fail('reset_expired');
        await links.use(trx, body.token);
        await weaken(trx, link.account, { kind: 'password_changed' });
        await store.setPassword(trx, link.account, password_hash);
        await sessions.endAll(trx, link.account);
        // An attacker who knew the old password may have requested a change to their own address.
        await store.setPendingEmail(trx, link.account, null);
        await links.drop(trx, link.account, ['change']);
        const { name, email } = await store.byUuid(link.account, trx);
        refuseCommon(body.password, { name, email });
        // The user controls the account's email, so this browser becomes known, without a new-browser email.
        await deps.browsers.remember(trx, link.account, browserToken(request, reply, deps.secure_cookies), ip);
        await mails.send(trx, email, passwordResetEmail(name, mails.url('/forgot-password')));
      });
      return {};
    },

    'POST /web/verify-email': async ({ account }) => {
      const person = await store.byUuid(account);
      if (person.email_verified && !person.pending_email) return {};
      await limit('verify-email', account, { max: 1, per: limits.resend_wait });
      // The limits protect strangers, because an unconfirmed address may belong to one.
      if (person.pending_email) await limit('email-change-to', person.pending_email, { max: 5, per: 24 * 60 * minute });
      else await limit('confirm-to', person.email, { max: 10, per: 24 * 60 * minute });
      await db
        .transaction()
        .execute((trx) => (person.pending_email ? mails.changeLater(trx, account).then(() => {}) : mails.confirmation(trx, person)));
      return {};
    },
  };
}

/** A used link is returned even after it expired, so that a second click reports success. */
export async function validLink(
  { clock, links }: { clock: Clock; links: LinkStore },
  trx: Trx,
  token: string,
  purposes: LinkPurpose[],
): Promise<{ account: string; email: string; about: string | null; purpose: LinkPurpose; created: Date; used: Date | null }> {
  const link = await links.find(trx, token, purposes);
  if (!link) fail('link_invalid');
  if (!link.used && link.expires <= clock.now()) fail('link_expired');
  return link;
}
