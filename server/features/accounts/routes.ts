import { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { limits } from '@porchlight/contract/limits.ts';
import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { bind } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import type { WrittenLetter } from '../../lib/letter.ts';
import type { Passwords } from '../../lib/passwords.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { newToken, tokenHash } from '../../lib/tokens.ts';
import { confirmLetter, passwordChangedLetter, resetLetter } from './letters.ts';
import type { SessionStore } from './sessions.ts';
import type { AccountStore } from './store.ts';

const minute = 60_000;

export interface AccountParts {
  db: Db;
  clock: Clock;
  gates: Gates;
  store: AccountStore;
  sessions: SessionStore;
  passwords: Passwords;
  limit: Limit;
  enqueue: Enqueue;
  /** Where the dashboard is, without a slash at the end. */
  dashboard_url: string;
  /** How many devices a new account may protect. */
  newAccountDevices: () => number;
}

export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { db, clock, gates, store, sessions, passwords, limit, enqueue, dashboard_url } = parts;

  /** One mail for one token, so that a retried call cannot send it twice. */
  const mail = (trx: Trx, to: string, token: string, letter: WrittenLetter) =>
    enqueue(trx, 'mail', `account:${tokenHash(token).toString('hex')}`, { to, ...letter });

  const sendConfirmation = async (trx: Trx, account: { uuid: string; name: string; email: string }) => {
    const token = await store.newLink(trx, account, 'confirm');
    await mail(trx, account.email, token, confirmLetter(account.name, `${dashboard_url}/confirm-email/${token}`));
  };

  bind(app, gates, accountEndpoints, {
    'POST /login/web': async ({ body, ip }) => {
      await limit('login-ip', ip, { max: 10, per: minute });
      await limit('login-email', body.email, { max: 10, per: 5 * minute });
      const account = await store.byEmail(body.email);
      const fits = await passwords.fits(body.password, account?.password_hash ?? null);
      if (!account || !fits) fail('login_wrong');
      return { web_token: await sessions.create(account.uuid) };
    },

    'POST /register': async ({ body, ip }) => {
      await limit('register', ip, { max: 20, per: 10 * minute });
      // There are no sign-up codes yet, so whichever was sent is not one.
      if (body.signup_code) fail('code_unknown');
      const password_hash = await passwords.hash(body.password);
      await db.transaction().execute(async (trx) => {
        const { name, email } = body;
        const account = await store.create(trx, { name, email, password_hash, device_limit: parts.newAccountDevices() });
        if (!account) fail('email_taken', { fields: [{ field: 'Email', tag: 'taken' }] });
        await sendConfirmation(trx, account);
      });
      return {};
    },

    'POST /confirm-email': async ({ body, ip }) => {
      await limit('link', ip, { max: 30, per: 10 * minute });
      return db.transaction().execute(async (trx) => {
        const link = await store.link(trx, body.token, 'confirm');
        if (!link) fail('link_invalid');
        if (link.used) return { already_confirmed: true };
        if (link.expires <= clock.now()) fail('link_expired');
        await store.useLink(trx, body.token);
        await store.markVerified(trx, link.account);
        return { already_confirmed: false };
      });
    },

    'POST /forgot-password': async ({ body, ip }) => {
      await limit('forgot-ip', ip, { max: 10, per: 10 * minute });
      await limit('forgot-email', body.email, { max: 5, per: 60 * minute });
      const account = await store.byEmail(body.email);
      if (account) {
        await db.transaction().execute(async (trx) => {
          const token = await store.newLink(trx, account, 'reset');
          await mail(trx, account.email, token, resetLetter(account.name, `${dashboard_url}/reset-password/${token}`));
        });
      }
      return {};
    },

    'POST /reset-password': async ({ body, ip }) => {
      await limit('link', ip, { max: 30, per: 10 * minute });
      const password_hash = await passwords.hash(body.password);
      await db.transaction().execute(async (trx) => {
        const link = await store.link(trx, body.token, 'reset');
        if (!link || link.used) fail('reset_invalid');
        if (link.expires <= clock.now()) fail('reset_expired');
        await store.useLink(trx, body.token);
        await store.setPassword(trx, link.account, password_hash);
        await sessions.endAll(trx, link.account);
        const { name, email } = await store.byUuid(link.account, trx);
        await mail(trx, email, newToken(), passwordChangedLetter(name, `${dashboard_url}/forgot-password`));
      });
      return {};
    },

    'POST /web/verify-email': async ({ account }) => {
      const person = await store.byUuid(account);
      if (person.email_verified) return {};
      await limit('verify-email', account, { max: 1, per: limits.resend_wait });
      await db.transaction().execute((trx) => sendConfirmation(trx, person));
      return {};
    },

    'POST /web/logout': async ({ session }) => {
      await sessions.end(session);
      return {};
    },

    'GET /web/profile': async ({ account }) => {
      const { name, email, email_verified } = await store.byUuid(account);
      return {
        name,
        email,
        email_verified,
        phone_number: null,
        phone_number_verified: false,
        phone_number_opted_out: false,
        phone_number_host: null,
        third_party_support: null,
      };
    },
  });
}
