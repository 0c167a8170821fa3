import { limits } from '@porchlight/contract/limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { isHarmlessName } from '@porchlight/contract/shapes.ts';
import type { signInEndpoints } from '@porchlight/contract/sign-in-methods.ts';
import type { Handlers } from '../../../http/bind.ts';
import { weakeningCall } from '../../../http/weakening-call.ts';
import { fail } from '../../../lib/errors.ts';
import type { ProveHolder, WeakeningGate } from '../../../ports.ts';
import { browserInWords } from '../../../texts/browser-in-words.ts';
import type { SessionStore } from '../sessions.ts';
import type { AccountStore } from '../store.ts';
import { type LimitAdditions, passkeyInWords, type ReportAdded } from './added-methods.ts';
import type { signInMethodsOf } from './methods.ts';
import type { Passkeys } from './passkeys.ts';
import type { RecoveryCodeStore } from './recovery-codes.ts';

export interface PasskeyDeps {
  store: Pick<AccountStore, 'byUuid'>;
  passkeys: Passkeys;
  signInMethods: ReturnType<typeof signInMethodsOf>;
  recoveryCodes: RecoveryCodeStore;
  sessions: SessionStore;
  /** Ends the push messages to the browser of a session (P11.6). */
  endPush(account: string, session: string): Promise<unknown>;
  proveHolder: ProveHolder;
  weakening: WeakeningGate;
  limitAdditions: LimitAdditions;
  reportAdded: ReportAdded;
}

type PasskeyRoutes = Pick<
  Handlers<typeof signInEndpoints>,
  | 'GET /web/sign-in-methods'
  | 'POST /web/passkeys/options'
  | 'POST /web/passkeys'
  | 'POST /web/passkeys/:uuid/remove'
  | 'POST /web/passkey-question'
>;

/** The browser in which it was made. Guardians read it in an email, and a caller can send any name of a browser. */
function usualName(userAgent: string | undefined): string {
  const name = browserInWords(userAgent);
  return isHarmlessName(name) && name.length <= limits.name_max ? name : browserInWords(undefined);
}

export function passkeyRoutes(deps: PasskeyDeps): PasskeyRoutes {
  const { passkeys, recoveryCodes, proveHolder, weakening } = deps;
  const { store, questions, answers, registration } = passkeys;

  const refuseTooMany = (known: unknown[]) => {
    if (known.length >= serverLimits.passkeys_max) fail('passkey_limit');
  };

  return {
    'GET /web/sign-in-methods': ({ account }) => deps.signInMethods(account),

    'POST /web/passkeys/options': async ({ account, body }) => {
      const person = await deps.store.byUuid(account);
      await proveHolder(person, body);
      const known = await store.list(account);
      refuseTooMany(known);
      return { options: { ...(await registration.optionsFor(person, known)) } };
    },

    'POST /web/passkeys': async (call) => {
      const { account, body, request } = call;
      const made = (await registration.check(account, body.passkey)) ?? fail('passkey_wrong');
      const name = body.name ?? usualName(request.headers['user-agent']);
      await deps.limitAdditions(account);
      const recovery_codes = await weakening(weakeningCall(call), async (trx, weaken) => {
        refuseTooMany(await store.list(account, trx));
        if (!(await questions.useUp(trx, made.question))) fail('passkey_wrong');
        const uuid = (await store.add(trx, account, name, made.key)) ?? fail('passkey_wrong');
        const words = passkeyInWords(name);
        await weaken({ kind: 'sign_in_added', what: words });
        await deps.reportAdded(trx, account, { uuid, words });
        return recoveryCodes.firstRecoveryCodes(trx, account);
      });
      return { recovery_codes };
    },

    'POST /web/passkeys/:uuid/remove': async (call) => {
      const { account, params, body } = call;
      await proveHolder(await deps.store.byUuid(account), body);
      const endedSessions = await weakening(weakeningCall(call), async (trx, weaken) => {
        const name = (await store.remove(trx, account, params.uuid)) ?? fail('not_found');
        await recoveryCodes.removeUnneeded(trx, account);
        await weaken({ kind: 'sign_in_removed', what: passkeyInWords(name) });
        // A thief of the passkey that is removed must not stay logged in by it.
        return deps.sessions.endProvedBy(trx, account, params.uuid, call.session);
      });
      for (const session of endedSessions) await deps.endPush(account, session);
      return {};
    },

    'POST /web/passkey-question': async ({ account }) => {
      const known = await store.list(account);
      if (!known.length) fail('passkey_missing');
      return { options: { ...(await answers.optionsFor({ what: 'prove', account }, known)) } };
    },
  };
}
