import { randomBytes } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import type { Trx } from '../../../db/open.ts';
import type { Clock } from '../../../lib/clock.ts';
import { tokenHash } from '../../../lib/tokens.ts';

export type RecoveryCodeStore = ReturnType<typeof recoveryCodeStore>;

/** Codes to log in with when neither passkey nor authenticator app is at hand. Only hashes are stored. */
export function recoveryCodeStore(clock: Clock) {
  return {
    /** Ten new codes if the account has none; null if it has. The caller has locked the account's weakening calls. */
    async firstRecoveryCodes(trx: Trx, account: string): Promise<string[] | null> {
      const known = await trx.selectFrom('recovery_codes').select('account').where('account', '=', account).limit(1).executeTakeFirst();
      if (known) return null;
      const codes = Array.from({ length: serverLimits.recovery_codes }, () => randomBytes(7).toString('hex'));
      const created = clock.now();
      const rows = codes.map((code) => ({ account, code_hash: tokenHash(`${account} ${code}`), created }));
      await trx.insertInto('recovery_codes').values(rows).execute();
      return codes;
    },

    /** Removes the codes of an account that has neither passkey nor authenticator app any more, since nothing asks for them. */
    removeUnneeded: (trx: Trx, account: string) =>
      trx
        .deleteFrom('recovery_codes')
        .where('account', '=', account)
        .where(sql<boolean>`not exists (select from passkeys where account = ${account})`)
        .where(sql<boolean>`not exists (select from authenticators where account = ${account})`)
        .execute(),
  };
}
