import { listOf } from '@porchlight/contract/language.ts';
import type { Trx } from '../../../db/open.ts';
import type { Kernel } from '../../../kernel.ts';
import type { AuthenticatorStore } from './authenticator-store.ts';
import type { RecoveryCodeStore } from './recovery-codes.ts';

export interface SecondStepRemovalDeps extends Pick<Kernel, 'db' | 'weaken'> {
  authenticators: Pick<AuthenticatorStore, 'remove'>;
  recoveryCodes: Pick<RecoveryCodeStore, 'remove'>;
  /** Locks the account's weakening calls, so that no set-up goes on meanwhile. */
  lockCalls(trx: Trx, account: string): Promise<unknown>;
  isInIncident(account: string, trx: Trx): Promise<boolean>;
}

/** What was removed, in words. `in_incident`: nothing was, because the caller may be the scammer (P9.1). */
export type SecondStepRemoval = { refused: 'in_incident' } | { refused: null; removed: string[] };

/** For the operator's command: the password alone logs in again, for a holder who has lost everything else (P13.1). */
export function secondStepRemoval({ db, authenticators, recoveryCodes, lockCalls, isInIncident, weaken }: SecondStepRemovalDeps) {
  return (account: string, by: string, { during_incident }: { during_incident: boolean }): Promise<SecondStepRemoval> =>
    db.transaction().execute(async (trx) => {
      await lockCalls(trx, account);
      if (!during_incident && (await isInIncident(account, trx))) return { refused: 'in_incident' };
      const { numDeletedRows: passkeys } = await trx.deleteFrom('passkeys').where('account', '=', account).executeTakeFirstOrThrow();
      const removed = [
        ...((await authenticators.remove(trx, account)) ? ['an authenticator app'] : []),
        ...(passkeys === 0n ? [] : [passkeys === 1n ? 'a passkey' : `${passkeys} passkeys`]),
        ...((await recoveryCodes.remove(trx, account)) ? ['the recovery codes'] : []),
      ];
      if (removed.length) await weaken(trx, account, { kind: 'sign_in_removed', what: listOf(removed) }, { by });
      return { refused: null, removed };
    });
}
