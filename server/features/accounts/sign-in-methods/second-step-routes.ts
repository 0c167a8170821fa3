import type { signInEndpoints } from '@porchlight/contract/sign-in-methods.ts';
import type { Handlers } from '../../../http/bind.ts';
import { weakeningCall } from '../../../http/weakening-call.ts';
import type { Kernel } from '../../../kernel.ts';
import { fail } from '../../../lib/errors.ts';
import type { ProveHolder } from '../../../ports.ts';
import type { AccountStore } from '../store.ts';
import { appInWords, type LimitAdditions, type ReportAdded } from './added-methods.ts';
import { authenticatorSetups } from './authenticator-setup.ts';
import type { AuthenticatorStore } from './authenticator-store.ts';
import { hasSecondStep } from './has-second-step.ts';
import type { RecoveryCodeStore } from './recovery-codes.ts';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

export interface SecondStepRouteDeps extends Pick<Kernel, 'clock' | 'sealer' | 'weakening'> {
  store: AccountStore;
  authenticators: AuthenticatorStore;
  recoveryCodes: RecoveryCodeStore;
  proveHolder: ProveHolder;
  limitAdditions: LimitAdditions;
  reportAdded: ReportAdded;
}

type SecondStepRoutes = Pick<
  Handlers<typeof signInEndpoints>,
  'POST /web/authenticator/begin' | 'POST /web/authenticator' | 'POST /web/authenticator/remove' | 'POST /web/recovery-codes'
>;

/** The holder sets up and removes the authenticator app, and makes new recovery codes (P13.1). */
export function secondStepRoutes(deps: SecondStepRouteDeps): SecondStepRoutes {
  const { clock, store, authenticators, recoveryCodes, proveHolder, weakening } = deps;
  const setups = authenticatorSetups(clock, deps.sealer);

  return {
    'POST /web/authenticator/begin': async ({ account, session, body }) => {
      const person = await store.byUuid(account);
      await proveHolder(person, body);
      const secret = newTotpSecret();
      return { setup: setups.seal({ account, session }, secret), secret, uri: totpUri(secret, person.email) };
    },

    // Wrong codes are not limited: only who has the secret has its set-up.
    'POST /web/authenticator': async (call) => {
      const { account, body } = call;
      const setup = setups.open(body.setup, call) ?? fail('setup_expired');
      const step = totpStep(setup.secret, body.code, clock.now());
      if (step === null) fail('sign_in_code_wrong');
      await deps.limitAdditions(account);
      const recovery_codes = await weakening(weakeningCall(call), async (trx, weaken) => {
        if (!(await setups.useUp(trx, setup))) fail('setup_expired');
        await weaken({ kind: 'sign_in_added', what: appInWords });
        // First, so that the link has ended when the app's time counts as over.
        await deps.reportAdded(trx, account, { uuid: setup.uuid, words: appInWords });
        await authenticators.put(trx, account, setup, step);
        return recoveryCodes.firstRecoveryCodes(trx, account);
      });
      return { recovery_codes };
    },

    'POST /web/authenticator/remove': async (call) => {
      const { account, body } = call;
      await proveHolder(await store.byUuid(account), body);
      await weakening(weakeningCall(call), async (trx, weaken) => {
        if (!(await authenticators.remove(trx, account))) fail('not_found');
        await recoveryCodes.removeUnneeded(trx, account);
        await weaken({ kind: 'sign_in_removed', what: appInWords });
      });
      return {};
    },

    'POST /web/recovery-codes': async (call) => {
      const { account, body } = call;
      await proveHolder(await store.byUuid(account), body);
      const recovery_codes = await weakening(weakeningCall(call), async (trx, weaken) => {
        if (!(await hasSecondStep(trx, account))) fail('second_step_missing');
        await weaken({ kind: 'recovery_codes_made' });
        return recoveryCodes.renew(trx, account);
      });
      return { recovery_codes };
    },
  };
}
