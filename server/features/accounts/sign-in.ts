import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyRequest } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { Handlers } from '../../lib/bind.ts';
import { browserInWords } from '../../lib/browser-in-words.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Passwords } from '../../lib/passwords.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { AccountEmails } from './account-emails.ts';
import { type Browsers, browserToken } from './browsers.ts';
import { refuseCommon } from './common-passwords.ts';
import { newBrowserEmail } from './emails.ts';
import type { SessionStore } from './sessions.ts';
import type { SignupCodeStore, SignupGift } from './signup-codes.ts';
import type { AccountStore } from './store.ts';

const minute = 60_000;

export interface SignInDeps {
  db: Db;
  clock: Clock;
  store: AccountStore;
  sessions: SessionStore;
  browsers: Browsers;
  passwords: Passwords;
  limit: Limit;
  mails: AccountEmails;
  /** Someone logged in from this place. */
  welcome(caller: string): Promise<void>;
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

export function signInRoutes(deps: SignInDeps): SignIn {
  const { db, clock, store, sessions, browsers, passwords, limit, mails } = deps;

  const logIn = async (
    trx: Trx,
    account: { uuid: string; name: string; email: string },
    from: { browser: string; ip: string },
    words: string,
  ) => {
    if (await browsers.meet(trx, account.uuid, from.browser, from.ip)) {
      await mails.send(trx, account.email, newBrowserEmail(account.name, words, clock.now(), mails.url('/forgot-password')));
    }
    return { web_token: await sessions.create(trx, account.uuid, words) };
  };

  /**
   * A stranger's wrong tries keep nobody out who sits where they always sit, nor who sits anywhere else with the right password: tries are counted by the
   * browser, or by the network. Those from places that the account does not know are counted together besides, so that many networks do not make many
   * guesses; whoever is in earnest then gets in by a mail, which makes their browser a known one.
   */
  const countTry = async (request: FastifyRequest, email: string, ip: string) => {
    const { browser, network } = await browsers.placeOf(request, email, ip);
    const stranger = browser === null && !network;
    const per = stranger ? serverLimits.login_tries_elsewhere_within : serverLimits.login_tries_within;
    await limit('login-email', browser === null ? `${email} from ${ip}` : `${email} at ${browser}`, { max: serverLimits.login_tries, per });
    if (!stranger) return;
    const everywhere = { max: serverLimits.login_tries_elsewhere, per: serverLimits.login_tries_elsewhere_within };
    await limit('login-elsewhere', email, everywhere, 'login_guarded');
  };

  return {
    'POST /login/web': async ({ body, ip, request, reply }) => {
      await limit('login-ip', ip, { max: 10, per: minute });
      await countTry(request, body.email, ip);
      const account = await store.byEmail(body.email);
      const fits = await passwords.fits(body.password, account?.password_hash ?? null);
      if (!account || !fits) fail('login_wrong');
      const browser = browserToken(request, reply, deps.secure_cookies);
      const words = browserInWords(request.headers['user-agent']);
      const answer = await db.transaction().execute((trx) => logIn(trx, account, { browser, ip }, words));
      await deps.welcome(ip);
      return answer;
    },

    'POST /register': async ({ body, ip }) => {
      await limit('register', ip, { max: 20, per: 10 * minute });
      refuseCommon(body.password, body);
      const password_hash = await passwords.hash(body.password);
      // Before the transaction: the payment service is asked, and may take its time.
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
