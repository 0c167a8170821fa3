import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { minute } from '@porchlight/contract/time.ts';
import type { Handlers } from '../../http/bind.ts';
import type { CountAttempt, GiveBack } from '../../http/rate-limit.ts';
import { wideNetworkOf } from '../../http/wide-network.ts';
import type { Kernel } from '../../kernel.ts';
import { fail, Refusal } from '../../lib/errors.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import type { AccountEmails } from './account-emails.ts';
import type { Browsers } from './browsers.ts';
import { refuseCommon } from './common-passwords.ts';
import type { LogIn } from './log-in.ts';
import { type LoginOrigin, loginTries } from './login-tries.ts';
import { passwordKnownWarnings } from './password-known.ts';
import { type SecondStepDeps, secondStep } from './sign-in-methods/second-step.ts';
import type { SignupCodeStore, SignupGift } from './signup-codes.ts';
import type { AccountStore } from './store.ts';

/** By `login-ip`, by password and by passkey together. */
export const loginsPerCaller = { max: 10, per: minute };

export interface SignInDeps extends SecondStepDeps, Pick<Kernel, 'db' | 'limit'> {
  store: AccountStore;
  browsers: Browsers;
  passwords: Passwords;
  giveBack: GiveBack;
  countAttempt: CountAttempt;
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
  const { db, store, passwords, limit, mails, logIn } = deps;
  const tries = loginTries(deps);
  const useCode = secondStep(deps);
  const warnOfWrongCode = passwordKnownWarnings(deps);

  /** Called after the right password, so that nobody else learns of the second step. A try of a code is counted. */
  const codeIn = async ({ email, code }: { email: string; code?: string | undefined }, origin: LoginOrigin): Promise<string> => {
    if (code === undefined) {
      // The password comes again with the code, and counts then.
      await tries.giveBack('password', email, origin);
      fail('second_step_needed');
    }
    await tries.count('code', email, origin);
    return code;
  };

  const limitRegistrationsOf = async (ip: string) => {
    const { registrations_per_caller, registrations_per_wide_network, registrations_within: per } = serverLimits;
    await limit('register', ip, { max: registrations_per_caller, per });
    const wideNetwork = wideNetworkOf(ip);
    if (wideNetwork !== null) await limit('register-wide', wideNetwork, { max: registrations_per_wide_network, per });
  };

  return {
    'POST /login/web': async ({ body, ip, request, reply }) => {
      await limit('login-ip', ip, loginsPerCaller);
      const origin = await tries.originOf(request, body.email, ip);
      await tries.count('password', body.email, origin);
      const account = await store.ofLogin(body.email);
      const passwordMatches = await passwords.fits(body.password, account?.password_hash ?? null);
      if (!account || !passwordMatches) fail('login_wrong');
      const code = account.second_step ? await codeIn(body, origin) : null;
      return logIn({ ip, request, reply }, account, {
        passkey: null,
        password_hash: account.password_hash,
        ...(code === null ? {} : { useProof: (trx) => useCode(trx, account.uuid, code) }),
      }).catch(async (err: unknown) => {
        if (err instanceof Refusal && err.code === 'sign_in_code_wrong') await warnOfWrongCode(account.uuid, origin);
        throw err;
      });
    },

    'POST /register': async ({ body, ip }) => {
      await limitRegistrationsOf(ip);
      refuseCommon(body.password, body);
      // Later than what is refused anyway, so that callers need valid attempts to keep others out.
      await limit('register-all', '', { max: serverLimits.registrations_of_all, per: serverLimits.registrations_of_all_within });
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
