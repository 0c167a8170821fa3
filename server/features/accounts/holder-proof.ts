import type { HolderProof } from '@porchlight/contract/sign-in-methods.ts';
import type { Limit } from '../../http/rate-limit.ts';
import { fail } from '../../lib/errors.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import type { PasskeyAnswers } from './sign-in-methods/passkey-answers.ts';

export interface HolderProofDeps {
  passwords: Pick<Passwords, 'fits'>;
  passkeys: Pick<PasskeyAnswers, 'prove'>;
  limit: Limit;
}

export type ProveHolder = ReturnType<typeof holderProving>;

/**
 * Where the password is asked again (5.16), it or a passkey proves the holder (P13.1). Throws `password_wrong`, `passkey_wrong`, `too_many`, and
 * `invalid_input` without both. Attempts are counted together. Returns by which passkey; null: by the password, which counts if both are given.
 */
export function holderProving({ passwords, passkeys, limit }: HolderProofDeps) {
  return async (account: { uuid: string; password_hash: string }, given: HolderProof): Promise<{ passkey: string | null }> => {
    const { current_password, passkey } = given;
    if (!current_password && !passkey) fail('invalid_input', { fields: [{ field: 'CurrentPassword', tag: 'required' }] });
    await limit('current-password', account.uuid, { max: 10, per: 300_000 });
    if (!current_password && passkey) return { passkey: (await passkeys.prove(account.uuid, passkey)) ?? fail('passkey_wrong') };
    if (!(await passwords.fits(current_password ?? '', account.password_hash))) fail('password_wrong');
    return { passkey: null };
  };
}
