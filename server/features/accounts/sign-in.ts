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
  /** How many devices a new account may protect. */
  newAccountDevices: () => number;
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
      await limit('login-email', body.email, { max: 10, per: 5 * minute });
      const account = await store.byEmail(body.email);
      const fits = await passwords.fits(body.password, account?.password_hash ?? null);
      if (!account || !fits) fail('login_wrong');
      const browser = browserToken(request, reply, parts.secure_cookies);
      const words = browserInWords(request.headers['user-agent']);
      return db.transaction().execute((trx) => logIn(trx, account, browser, words));
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
        await mails.confirmation(trx, account);
      });
      return {};
    },
  };
}
