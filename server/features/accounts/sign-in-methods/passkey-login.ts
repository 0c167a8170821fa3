import type { signInEndpoints } from '@porchlight/contract/sign-in-methods.ts';
import type { Handlers } from '../../../http/bind.ts';
import type { Limit } from '../../../http/rate-limit.ts';
import { fail } from '../../../lib/errors.ts';
import type { LogIn } from '../log-in.ts';
import { loginsPerCaller } from '../sign-in.ts';
import type { AccountStore } from '../store.ts';
import type { Passkeys } from './passkeys.ts';

export interface PasskeyLoginDeps {
  store: Pick<AccountStore, 'find'>;
  passkeys: Passkeys;
  limit: Limit;
  logIn: LogIn;
}

type PasskeyLogin = Pick<Handlers<typeof signInEndpoints>, 'POST /login/passkey/options' | 'POST /login/passkey'>;

/** A passkey logs in alone: its authenticator has verified the user, so neither the password nor a code is asked (P13.1). */
export function passkeyLoginRoutes({ store, passkeys, limit, logIn }: PasskeyLoginDeps): PasskeyLogin {
  const { answers } = passkeys;
  return {
    // It writes nothing and reads nothing, so it needs no limit.
    'POST /login/passkey/options': async () => ({ options: { ...(await answers.optionsFor({ what: 'log_in' })) } }),

    'POST /login/passkey': async ({ body, ip, request, reply }) => {
      await limit('login-ip', ip, loginsPerCaller);
      const right = (await answers.check(body.passkey, { what: 'log_in' })) ?? fail('passkey_wrong');
      const account = (await store.find(right.account)) ?? fail('passkey_wrong');
      return logIn({ ip, request, reply }, account, {
        passkey: right.passkey,
        async useProof(trx) {
          if (!(await answers.useUp(trx, right))) fail('passkey_wrong');
        },
      });
    },
  };
}
