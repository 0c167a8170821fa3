import { randomInt, timingSafeEqual } from 'node:crypto';
import { brand } from '@porchlight/contract/brand.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import type { Db, Trx } from '../db/open.ts';
import { isFarCaller } from '../http/caller-of.ts';
import type { Limit } from '../http/rate-limit.ts';
import { after, type Clock } from '../lib/clock.ts';
import { fail } from '../lib/errors.ts';
import type { Sealer } from '../secrets/seal.ts';
import { newToken } from '../secrets/tokens.ts';
import type { Budgets } from './budgets.ts';
import { type Countries, isInCountries } from './phone.ts';

/** A code that was sent. The hash includes the user's id, so that no other user can use the code. */
export interface PhoneCode {
  phone_number: string;
  code_hash: Buffer;
  expires: Date;
  tries: number;
}

/** Codes of holders or of guardians, by the user's uuid. */
export interface PhoneCodeStore {
  put(trx: Trx, user: string, code: Omit<PhoneCode, 'tries'>): Promise<unknown>;
  /** Locks the row until the transaction ends, so that parallel guesses are counted one by one. */
  locked(trx: Trx, user: string): Promise<PhoneCode | undefined>;
  countTry(trx: Trx, user: string): Promise<unknown>;
  drop(trx: Trx, user: string): Promise<unknown>;
}

export interface PhoneCodeDeps {
  db: Db;
  clock: Clock;
  limit: Limit;
  sealer: Pick<Sealer, 'mac'>;
  store: PhoneCodeStore;
  countries: Countries;
  budgets: Pick<Budgets, 'spend' | 'renewsIn'>;
  /** Only a user with a confirmed email address may cause an SMS (P11.5). */
  isConfirmed(user: string): Promise<boolean>;
  /** Further daily limits of codes. */
  dailyLimits(user: string): Promise<{ what: string; who: string; max: number }[]>;
  numberOf(user: string, trx?: Trx): Promise<{ phone_number: string | null; phone_number_verified: boolean }>;
  /** The key of the hashes, so that a code is valid only for its purpose. */
  purpose: 'phone-code' | 'answer-code';
  /** Queues one SMS for each `key`. `until`: useless from then on. */
  sendCode(trx: Trx, key: string, text: { to: string; code: string; until: string }): Promise<unknown>;
}

/** Uses up a code that was right, and returns its phone number. Throws `phone_code_expired` if the code was used or replaced meanwhile. */
export type UseCode = (trx: Trx) => Promise<string>;

/** Codes sent to a phone number: six digits, 10 minutes, 5 attempts, 60 s between sends (P2.5). */
export function phoneCodes({ db, clock, limit, sealer, store, numberOf, sendCode, ...deps }: PhoneCodeDeps) {
  // An HMAC, because six digits are quickly found from a plain hash.
  const hashOf = (user: string, code: string) => Buffer.from(sealer.mac(deps.purpose, `${user}:${code}`), 'base64url');

  /** Null if too late, too often, or for a former number. */
  const validLocked = async (trx: Trx, user: string): Promise<PhoneCode | null> => {
    const sentCode = await store.locked(trx, user);
    const { phone_number } = await numberOf(user, trx);
    const expired =
      !sentCode ||
      sentCode.expires <= clock.now() ||
      sentCode.tries >= serverLimits.phone_code_tries ||
      sentCode.phone_number !== phone_number;
    return expired ? null : sentCode;
  };

  return {
    /**
     * `caller`: from `callerOf`. Free checks come first, and the daily budget last. Throws `phone_missing`, `email_unverified`,
     * `phone_country`, `phone_codes_spent`, `texts_spent` and `too_many`.
     */
    async send(user: string, caller: string): Promise<void> {
      const { phone_number, phone_number_verified } = await numberOf(user);
      if (!phone_number) fail('phone_missing');
      if (phone_number_verified) return;
      if (!(await deps.isConfirmed(user))) fail('email_unverified');
      if (!isInCountries(deps.countries, phone_number)) fail('phone_country', { fields: [{ field: 'PhoneNumber', tag: 'country' }] });
      await limit('phone-code', user, { max: 1, per: limits.resend_wait });
      for (const { what, who: limitKey, max } of await deps.dailyLimits(user))
        await limit(what, limitKey, { max, per: day }, 'phone_codes_spent');
      const rate = { max: serverLimits.phone_codes_per_caller, per: day };
      if (isFarCaller(caller)) await limit('phone-caller', caller, rate, 'phone_codes_spent');
      await limit('phone-target', phone_number, { max: 10, per: day }, 'phone_codes_spent');
      if (!(await deps.budgets.spend('codes'))) fail('texts_spent', { retry_after: deps.budgets.renewsIn() / 1000 });
      const code = String(randomInt(10 ** limits.phone_code_digits)).padStart(limits.phone_code_digits, '0');
      await db.transaction().execute(async (trx) => {
        const expires = after(clock.now(), serverLimits.phone_code_life);
        await store.put(trx, user, { phone_number, code_hash: hashOf(user, code), expires });
        await sendCode(trx, `phone-code:${newToken()}`, { to: phone_number, code, until: expires.toISOString() });
      });
    },

    /**
     * Throws `phone_code_wrong`, or `phone_code_expired` if too late, too often, or for a former number. A transaction of its own counts the
     * attempt, which must not be rolled back; the returned function uses up the code in the transaction of what the code is for.
     */
    async check(user: string, code: string): Promise<UseCode> {
      await limit('phone-verify', user, { max: 20, per: serverLimits.phone_code_life });
      const typedHash = hashOf(user, code);
      // Fails after the transaction, so that the attempt stays counted.
      const result = await db.transaction().execute(async (trx) => {
        const sentCode = await validLocked(trx, user);
        if (!sentCode) return 'phone_code_expired';
        if (timingSafeEqual(sentCode.code_hash, typedHash)) return 'right';
        await store.countTry(trx, user);
        return 'phone_code_wrong';
      });
      if (result !== 'right') fail(result);
      return async (trx) => {
        const sentCode = await validLocked(trx, user);
        if (!sentCode || !timingSafeEqual(sentCode.code_hash, typedHash)) fail('phone_code_expired');
        await store.drop(trx, user);
        return sentCode.phone_number;
      };
    },
  };
}

/** The SMS that verifies a phone number. */
export function phoneCodeText(code: string): string {
  return `${brand.name}: your code is ${code}. It works for 10 minutes. Nobody from ${brand.name} will ever ask you for it.`;
}
