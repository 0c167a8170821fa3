import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { limits } from '@porchlight/contract/limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Handlers } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Passwords } from '../../lib/passwords.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { WeakeningGate } from '../../ports.ts';
import type { AccountEmails } from './account-emails.ts';
import { type Browsers, browserToken } from './browsers.ts';
import { refuseCommon } from './common-passwords.ts';
import { passwordResetEmail } from './emails.ts';
import type { LinkPurpose, LinkStore } from './links.ts';
import type { SessionStore } from './sessions.ts';
import type { AccountStore } from './store.ts';

const minute = 60_000;

export interface EmailedLinkDeps {
  db: Db;
  clock: Clock;
  store: AccountStore;
  links: LinkStore;
  sessions: SessionStore;
  passwords: Passwords;
  limit: Limit;
  mails: AccountEmails;
  browsers: Browsers;
  /** Cookies only over https, where the server is reached that way. */
  secure_cookies: boolean;
  /** The gate of everything that weakens protection: may it be done, and who is told of it. */
  weaken: WeakeningGate;
}

type MailedLinks = Pick<
  Handlers<typeof accountEndpoints>,
  'POST /confirm-email' | 'POST /forgot-password' | 'POST /reset-password' | 'POST /web/verify-email'
>;

/** Confirming an address and choosing a new password with a link from a mail; the button of the page posts its token (P2.1). */
export function mailedLinkRoutes(deps: EmailedLinkDeps): MailedLinks {
  const { db, clock, store, links, sessions, passwords, limit, mails, weaken } = deps;
  return {
    'POST /confirm-email': async ({ body, ip }) => {
      await limit('link', ip, { max: 30, per: 10 * minute });
      return db.transaction().execute(async (trx) => {
        const link = await liveLink({ clock, links }, trx, body.token, ['confirm']);
        if (link.used) return { already_confirmed: true };
        const { email } = await store.byUuid(link.account, trx);
        // The address was changed meanwhile: this one is not theirs to confirm any more.
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
        // Whoever knew the old password may have asked for an address of their own.
        await store.setPendingEmail(trx, link.account, null);
        await links.drop(trx, link.account, ['change']);
        const { name, email } = await store.byUuid(link.account, trx);
        refuseCommon(body.password, { name, email });
        // Whoever reads the mails of the account may log in from here, however much is guessed elsewhere. No mail about a new browser: this one is about it.
        await deps.browsers.meet(trx, link.account, browserToken(request, reply, deps.secure_cookies), ip);
        await mails.send(trx, email, passwordResetEmail(name, mails.url('/forgot-password')));
      });
      return {};
    },

    'POST /web/verify-email': async ({ account }) => {
      const person = await store.byUuid(account);
      if (person.email_verified && !person.pending_email) return {};
      await limit('verify-email', account, { max: 1, per: limits.resend_wait });
      // Whose address it is nobody knows yet.
      if (person.pending_email) await limit('email-change-to', person.pending_email, { max: 5, per: 24 * 60 * minute });
      else await limit('confirm-to', person.email, { max: 10, per: 24 * 60 * minute });
      await db
        .transaction()
        .execute((trx) => (person.pending_email ? mails.changeLater(trx, account).then(() => {}) : mails.confirmation(trx, person)));
      return {};
    },
  };
}

/** A link that is known, and unexpired unless it was used: a second click is told that it is done. */
export async function liveLink(
  { clock, links }: { clock: Clock; links: LinkStore },
  trx: Trx,
  token: string,
  purposes: LinkPurpose[],
): Promise<{ account: string; email: string; purpose: LinkPurpose; created: Date; used: Date | null }> {
  const link = await links.find(trx, token, purposes);
  if (!link) fail('link_invalid');
  if (!link.used && link.expires <= clock.now()) fail('link_expired');
  return link;
}
