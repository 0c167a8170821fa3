import { randomInt } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import type { Trx } from '../../../db/open.ts';
import type { Clock } from '../../../lib/clock.ts';
import { tokenHash } from '../../../secrets/tokens.ts';
import { secondStepExists } from './has-second-step.ts';

/** Without letters that are taken for one another or for a digit, and without vowels, which would make words. */
const alphabet = '23456789cdfhjkmnpqrtvwxy';
const groups = 3;
const groupLength = 4;

export type RecoveryCodeStore = ReturnType<typeof recoveryCodeStore>;

/**
 * Codes to log in with when neither passkey nor authenticator app is at hand. Only hashes are stored, each with its account, so that a guess
 * counts for one account alone.
 */
export function recoveryCodeStore(clock: Clock) {
  /** False if there are none. */
  const remove = async (trx: Trx, account: string): Promise<boolean> => {
    const { numDeletedRows } = await trx.deleteFrom('recovery_codes').where('account', '=', account).executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  };

  const make = async (trx: Trx, account: string): Promise<string[]> => {
    const codes = Array.from({ length: serverLimits.recovery_codes }, newRecoveryCode);
    const created = clock.now();
    await trx
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ account, code_hash: hashOf(account, code), created })))
      .execute();
    return codes;
  };

  const countLeft = async (trx: Trx, account: string): Promise<number> => {
    const row = trx.selectFrom('recovery_codes').select(sql<number>`count(*)::int`.as('left')).where('account', '=', account);
    return (await row.executeTakeFirstOrThrow()).left;
  };

  return {
    remove,

    /** Ten new codes if the account has none; null if it has. The caller has locked the account's weakening calls. */
    firstRecoveryCodes: async (trx: Trx, account: string): Promise<string[] | null> =>
      (await countLeft(trx, account)) === 0 ? make(trx, account) : null,

    /** Ten new codes, instead of the former ones. */
    async renew(trx: Trx, account: string): Promise<string[]> {
      await remove(trx, account);
      return make(trx, account);
    },

    /** Uses up a code, in any spelling; returns how many are left. Null if it is wrong, or was used. */
    async use(trx: Trx, account: string, typed: string): Promise<number | null> {
      const used = trx.deleteFrom('recovery_codes').where('account', '=', account).where('code_hash', '=', hashOf(account, typed));
      const { numDeletedRows } = await used.executeTakeFirstOrThrow();
      return numDeletedRows === 0n ? null : countLeft(trx, account);
    },

    /** Removes codes that were made since, which who added something then has read. */
    removeMadeSince: (trx: Trx, account: string, time: Date) =>
      trx.deleteFrom('recovery_codes').where('account', '=', account).where('created', '>=', time).execute(),

    /** Removes the codes of an account that has neither passkey nor authenticator app any more, since nothing asks for them. */
    removeUnneeded: (trx: Trx, account: string) =>
      trx
        .deleteFrom('recovery_codes')
        .where('account', '=', account)
        .where((eb) => eb.not(secondStepExists(sql.ref('recovery_codes.account'))))
        .execute(),
  };
}

/** Such as `k7mq-2xw9-p4tn`, with 55 random bits. */
function newRecoveryCode(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** Case, spaces and dashes do not matter. */
const hashOf = (account: string, code: string): Buffer => tokenHash(`${account} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`);
