import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../../db/open.ts';
import type { Handlers } from '../../lib/bind.ts';
import { fail } from '../../lib/errors.ts';
import type { Passwords } from '../../lib/passwords.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { AccountEmails } from './account-emails.ts';
import type { Browsers } from './browsers.ts';
import { refuseCommon } from './common-passwords.ts';
import type { LogIn } from './log-in.ts';
import type { SignupCodeStore, SignupGift } from './signup-codes.ts';
import type { AccountStore } from './store.ts';

const minute = 60_000;

/** By `login-ip`, by password and by passkey together. */
export const loginsPerCaller = { max: 10, per: minute };

export interface SignInDeps {
  db: Db;
  store: AccountStore;
  browsers: Browsers;
  passwords: Passwords;
  limit: Limit;
  mails: AccountEmails;
  logIn: LogIn;
  newAccount: () => SignupGift;
  /** Returns the code's benefits, or why the code is refused. */
  useSignupCode: SignupCodeStore['use'];
  /** The original spelling of a promo code; null when unknown or ended (8.16). */
  livePromo: (code: string) => Promise<string | null>;
}

type SignIn = Pick<Handlers<typeof accountEndpoints>, 'POST /login/web' | 'POST /register'>;

export function signInRoutes(deps: SignInDeps): SignIn {
  const { db, store, browsers, passwords, limit, mails, logIn } = deps;

  /**
   * Attempts are counted per known browser, otherwise per network, so that strangers do not lock out the owner. Unknown networks share
   * another limit, so that many networks do not allow many guesses; a password reset by email makes the owner's browser known.
   */
  const countAttempt = async (request: FastifyRequest, email: string, ip: string) => {
    const { browser, network } = await browsers.familiarityOf(request, email, ip);
    const stranger = browser === null && !network;
    const countedBy = stranger ? serverLimits.login_tries_elsewhere_within : serverLimits.login_tries_within;
    await limit('login-email', browser === null ? `${email} from ${ip}` : `${email} at ${browser}`, {
      max: serverLimits.login_tries,
      per: countedBy,
    });
    if (!stranger) return;
    const sharedLimit = { max: serverLimits.login_tries_elsewhere, per: serverLimits.login_tries_elsewhere_within };
    await limit('login-elsewhere', email, sharedLimit, 'login_guarded');
  };

  return {
    'POST /login/web': async ({ body, ip, request, reply }) => {
      await limit('login-ip', ip, loginsPerCaller);
      await countAttempt(request, body.email, ip);
      const account = await store.byEmail(body.email);
      const passwordMatches = await passwords.fits(body.password, account?.password_hash ?? null);
      if (!account || !passwordMatches) fail('login_wrong');
      return logIn({ ip, request, reply }, account, { passkey: null });
    },

    'POST /register': async ({ body, ip }) => {
      await limit('register', ip, { max: 20, per: 10 * minute });
      refuseCommon(body.password, body);
      const password_hash = await passwords.hash(body.password);
      // Before the transaction, because the payment service may be slow.
      const register_promo_code = body.promo === null ? null : await deps.livePromo(body.promo);
      await db.transaction().execute(async (trx) => {
        const { name, email, signup_code } = body;
        const gift = signup_code === null ? deps.newAccount() : await deps.useSignupCode(trx, signup_code);
        if (gift === null) fail('code_unknown');
        if (gift === 'used') fail('code_used');
        if (gift === 'expired') fail('code_expired');
        const account = await store.create(trx, { name, email, password_hash, ...gift, register_promo_code });
        if (!account) fail('email_taken', { fields: [{ field: 'Email', tag: 'taken' }] });
        await mails.confirmation(trx, account);
      });
      return {};
    },
  };
}
