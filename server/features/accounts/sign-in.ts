import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Handlers } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Passwords } from '../../lib/passwords.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { type Browsers, browserInWords, browserToken } from './browsers.ts';
import { newBrowserLetter } from './letters.ts';
import type { AccountMails } from './mails.ts';
import type { SessionStore } from './sessions.ts';
import type { SignupCodeStore, SignupGift } from './signup-codes.ts';
import type { AccountStore } from './store.ts';

const minute = 60_000;

export interface SignInParts {
  db: Db;
  clock: Clock;
  store: AccountStore;
  sessions: SessionStore;
  browsers: Browsers;
  passwords: Passwords;
  limit: Limit;
  mails: AccountMails;
  /** Cookies only over https, where the server is reached that way. */
  secure_cookies: boolean;
  /** What a new account gets that comes without a code. */
  newAccount: () => SignupGift;
  /** Uses a sign-up code by its id: what it gives, or why it does not work. */
  useSignupCode: SignupCodeStore['use'];
  /** The promo code as it is really written; null when there is none, or no longer (8.16). */
  livePromo: (code: string) => Promise<string | null>;
}

type SignIn = Pick<Handlers<typeof accountEndpoints>, 'POST /login/web' | 'POST /register'>;

export function signInRoutes(parts: SignInParts): SignIn {
  const { db, clock, store, sessions, browsers, passwords, limit, mails } = parts;

  const logIn = async (trx: Trx, account: { uuid: string; name: string; email: string }, browser: string, words: string) => {
    if (await browsers.meet(trx, account.uuid, browser)) {
      await mails.send(trx, account.email, newBrowserLetter(account.name, words, clock.now(), mails.url('/forgot-password')));
    }
    return { web_token: await sessions.create(trx, account.uuid, words) };
  };

  return {
    'POST /login/web': async ({ body, ip, request, reply }) => {
      await limit('login-ip', ip, { max: 10, per: minute });
      await limit('login-email', await browsers.countedAs(request, body.email), { max: 10, per: 5 * minute });
      const account = await store.byEmail(body.email);
      const fits = await passwords.fits(body.password, account?.password_hash ?? null);
      if (!account || !fits) fail('login_wrong');
      const browser = browserToken(request, reply, parts.secure_cookies);
      const words = browserInWords(request.headers['user-agent']);
      return db.transaction().execute((trx) => logIn(trx, account, browser, words));
    },

    'POST /register': async ({ body, ip }) => {
      await limit('register', ip, { max: 20, per: 10 * minute });
      const password_hash = await passwords.hash(body.password);
      // Before the transaction: the payment service is asked, and may take its time.
      const register_promo_code = body.promo === null ? null : await parts.livePromo(body.promo);
      await db.transaction().execute(async (trx) => {
        const { name, email, signup_code } = body;
        const gift = signup_code === null ? parts.newAccount() : await parts.useSignupCode(trx, signup_code);
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
