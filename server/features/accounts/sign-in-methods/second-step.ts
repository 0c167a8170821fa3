import type { Trx } from '../../../db/open.ts';
import { fail } from '../../../lib/errors.ts';
import type { WeakeningLog } from '../../../ports.ts';
import type { AuthenticatorStore } from './authenticator-store.ts';
import type { RecoveryCodeStore } from './recovery-codes.ts';

export interface SecondStepDeps {
  authenticators: AuthenticatorStore;
  recoveryCodes: RecoveryCodeStore;
  weaken: WeakeningLog;
}

/** Uses up a code in the transaction of a log-in, after the right password. Throws `sign_in_code_wrong`. */
export type UseSignInCode = (trx: Trx, account: string, code: string) => Promise<void>;

export function secondStep({ authenticators, recoveryCodes, weaken }: SecondStepDeps): UseSignInCode {
  return async (trx, account, code) => {
    // Apps show `123 456`. Recovery codes are longer.
    const digits = code.replace(/[\s-]/g, '');
    if (/^\d{6}$/.test(digits)) {
      if (!(await authenticators.useCode(trx, account, digits))) fail('sign_in_code_wrong');
      return;
    }
    const left = await recoveryCodes.use(trx, account, code);
    if (left === null) fail('sign_in_code_wrong');
    // With the number, two uses within ten minutes are two entries, and people are notified of both.
    await weaken(trx, account, { kind: 'recovery_code_used', what: String(left) });
  };
}
