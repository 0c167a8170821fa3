import type { FastifyInstance } from 'fastify';
import { attemptCounter, attemptsBack, type CountKey, type Limit } from '../../http/rate-limit.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { NameLookup, ProveHolder } from '../../ports.ts';
import { passwords as newPasswords, type Passwords } from '../../secrets/passwords.ts';
import { accountEmails } from './account-emails.ts';
import { pinRenewal, sealedPin } from './admin-pin.ts';
import { browserStore } from './browsers.ts';
import { linkStore } from './links.ts';
import { type LogInDeps, loggingIn } from './log-in.ts';
import { phoneStore } from './phone-store.ts';
import { type AccountDeps, accountRoutes } from './routes.ts';
import { type BrowserPushes, sessionStore } from './sessions.ts';
import { authenticatorStore } from './sign-in-methods/authenticator-store.ts';
import { signInMethodsOf } from './sign-in-methods/methods.ts';
import type { PasskeyAnswers } from './sign-in-methods/passkey-answers.ts';
import { passkeyParts } from './sign-in-methods/passkeys.ts';
import { recoveryCodeStore } from './sign-in-methods/recovery-codes.ts';
import { signupCodeStore } from './signup-codes.ts';
import { accountStore, holderInPolicy, toAccountHolder } from './store.ts';

interface AccountAsks extends Pick<LogInDeps, 'noteLogin'> {
  pushes: BrowserPushes;
  countKey: CountKey;
}

type LateAccountAsks = Pick<
  AccountDeps,
  'gates' | 'weaken' | 'weakening' | 'endPush' | 'livePromo' | 'supportOf' | 'mailFails' | 'noteRename' | 'zoneOf'
>;

/** Holders: who they are, and how they prove it. */
export function accountFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'enqueue' | 'limit' | 'budgets' | 'events' | 'settings'>,
  { pushes, countKey, noteLogin }: AccountAsks,
) {
  const { db, clock, sealer, settings } = kernel;
  const store = accountStore(db, clock, settings.phone_verification);
  const sessions = sessionStore(db, clock, pushes);
  const links = linkStore(clock);
  const phones = phoneStore(db, clock);
  const mails = accountEmails({ ...kernel, ...settings, store, links });
  const signupCodes = signupCodeStore(db, clock);
  const passwords = newPasswords();
  const passkeys = passkeyParts({ ...kernel, public_url: settings.public_url });
  const browsers = browserStore(db, clock, sealer);
  const proveHolder = holderProving({ ...kernel, passwords, passkeys: passkeys.answers });
  const nameOf: NameLookup = async (account, trx) => (await store.byUuid(account, trx)).name;
  return {
    ports: {
      store,
      links,
      mails,
      phones,
      sessions,
      proveHolder,
      nameOf,
      holderOf: store.byUuid,
      inPolicy: holderInPolicy,
      holderForAgents: async (account: string) => toAccountHolder(await store.byUuid(account)),
      holdersWith: store.withPhone,
      signupCodeOf: signupCodes.find,
      isConfirmed: async (account: string) => !settings.email_check || (await store.byUuid(account)).email_verified,
      sealedPinOf: sealedPin(store, sealer),
      renewPin: pinRenewal({ ...kernel, store }),
    },
    routes: (http: FastifyInstance, late: LateAccountAsks) =>
      accountRoutes(http, {
        ...{ ...kernel, ...settings, ...late, store, sessions, links, phones, mails, browsers, passkeys, passwords, proveHolder },
        giveBack: attemptsBack(db, countKey),
        countAttempt: attemptCounter(clock, countKey),
        authenticators: authenticatorStore(clock, sealer),
        recoveryCodes: recoveryCodeStore(clock),
        logIn: loggingIn({ ...{ db, clock, store, sessions, browsers, mails, noteLogin }, secure_cookies: settings.secure_cookies }),
        signInMethods: signInMethodsOf(db),
        newAccount: () => ({ device_limit: 0, external: false, lifetime: false }),
        useSignupCode: signupCodes.use,
      }),
  };
}

interface HolderProofDeps {
  passwords: Pick<Passwords, 'fits'>;
  passkeys: Pick<PasskeyAnswers, 'prove'>;
  limit: Limit;
}

/** See `ProveHolder`. */
function holderProving({ passwords, passkeys, limit }: HolderProofDeps): ProveHolder {
  return async (account, { current_password, passkey }) => {
    if (!current_password && !passkey) fail('invalid_input', { fields: [{ field: 'CurrentPassword', tag: 'required' }] });
    await limit('current-password', account.uuid, { max: 10, per: 300_000 });
    if (!current_password && passkey) return { passkey: (await passkeys.prove(account.uuid, passkey)) ?? fail('passkey_wrong') };
    if (!(await passwords.fits(current_password ?? '', account.password_hash))) fail('password_wrong');
    return { passkey: null };
  };
}
