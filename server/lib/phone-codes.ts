import { randomInt, timingSafeEqual } from 'node:crypto';
import { brand } from '@porchlight/contract/brand.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../db/open.ts';
import type { Budgets } from './budgets.ts';
import { isFarCaller } from './caller-of.ts';
import { after, type Clock } from './clock.ts';
import { fail } from './errors.ts';
import { type Countries, isIn } from './phone.ts';
import type { Limit } from './rate-limit.ts';
import type { Sealer } from './seal.ts';
import { newToken } from './tokens.ts';

const day = 24 * 3_600_000;

/** A code that was texted. `code_hash` goes with the person too, so that it is of no use to anybody else. */
export interface PhoneCode {
  phone_number: string;
  code_hash: Buffer;
  expires: Date;
  tries: number;
}

/** Where the codes of one kind of people are kept, by the uuid of the person. */
export interface PhoneCodeShelf {
  /** The one code that counts from now on, with no tries yet. */
  put(trx: Trx, who: string, code: Omit<PhoneCode, 'tries'>): Promise<unknown>;
  /** Locked until the transaction ends, so that guesses at the same moment are counted one by one. */
  locked(trx: Trx, who: string): Promise<PhoneCode | undefined>;
  countTry(trx: Trx, who: string): Promise<unknown>;
  drop(trx: Trx, who: string): Promise<unknown>;
}

export interface PhoneCodeDeps {
  db: Db;
  clock: Clock;
  limit: Limit;
  sealer: Pick<Sealer, 'mac'>;
  shelf: PhoneCodeShelf;
  /** The countries that SMS go to. */
  countries: Countries;
  budgets: Pick<Budgets, 'spend' | 'renewsIn'>;
  /** Whether their address is confirmed; nobody else costs us a text (P11.5). */
  isConfirmed(who: string): Promise<boolean>;
  /** As whom the codes of a day are counted besides, and how many there are. */
  countedAs(who: string): Promise<{ what: string; who: string; max: number }[]>;
  numberOf(who: string, trx?: Trx): Promise<{ phone_number: string | null; phone_number_verified: boolean }>;
  markVerified(trx: Trx, who: string, phone_number: string): Promise<unknown>;
  /** Queues a text, once for `key`. `until`: of no use from then on. */
  sendText(trx: Trx, key: string, text: { to: string; body: string; until: string }): Promise<unknown>;
}

/** Proving that a phone is at hand: six digits, 10 minutes, 5 tries, 60 s between sends (P2.5). */
export function phoneCodes({ db, clock, limit, sealer, shelf, numberOf, markVerified, sendText, ...deps }: PhoneCodeDeps) {
  // Six digits are soon tried through, so a plain hash of them would not hide them.
  const hashOf = (who: string, code: string) => Buffer.from(sealer.mac('phone-code', `${who}:${code}`), 'base64url');

  return {
    /**
     * Texts a code; nothing to do for a number that is proved. `caller`: as `callerOf` gives it. What costs nothing is asked first, and the budget of the
     * service last. Refuses `phone_missing`, `email_unverified`, `phone_country`, `phone_codes_spent`, `texts_spent` and `too_many`.
     */
    async send(who: string, caller: string): Promise<void> {
      const { phone_number, phone_number_verified } = await numberOf(who);
      if (!phone_number) fail('phone_missing');
      if (phone_number_verified) return;
      if (!(await deps.isConfirmed(who))) fail('email_unverified');
      if (!isIn(deps.countries, phone_number)) fail('phone_country', { fields: [{ field: 'PhoneNumber', tag: 'country' }] });
      await limit('phone-code', who, { max: 1, per: limits.resend_wait });
      for (const { what, who: counted, max } of await deps.countedAs(who))
        await limit(what, counted, { max, per: day }, 'phone_codes_spent');
      const rate = { max: serverLimits.phone_codes_per_caller, per: day };
      if (isFarCaller(caller)) await limit('phone-caller', caller, rate, 'phone_codes_spent');
      await limit('phone-target', phone_number, { max: 10, per: day }, 'phone_codes_spent');
      if (!(await deps.budgets.spend('codes'))) fail('texts_spent', { retry_after: deps.budgets.renewsIn() / 1000 });
      const code = String(randomInt(10 ** limits.phone_code_digits)).padStart(limits.phone_code_digits, '0');
      await db.transaction().execute(async (trx) => {
        const expires = after(clock.now(), serverLimits.phone_code_life);
        await shelf.put(trx, who, { phone_number, code_hash: hashOf(who, code), expires });
        await sendText(trx, `phone-code:${newToken()}`, { to: phone_number, body: phoneCodeText(code), until: expires.toISOString() });
      });
    },

    /** Refuses `phone_code_wrong`, and `phone_code_expired` when it is too late, too often, or for a number of before. */
    async check(who: string, code: string): Promise<void> {
      await limit('phone-verify', who, { max: 20, per: serverLimits.phone_code_life });
      // Refused only after the transaction, which keeps the count of the tries.
      const found = await db.transaction().execute(async (trx) => {
        const sent = await shelf.locked(trx, who);
        const { phone_number } = await numberOf(who, trx);
        const dead =
          !sent || sent.expires <= clock.now() || sent.tries >= serverLimits.phone_code_tries || sent.phone_number !== phone_number;
        if (dead) return 'phone_code_expired';
        if (!timingSafeEqual(sent.code_hash, hashOf(who, code))) {
          await shelf.countTry(trx, who);
          return 'phone_code_wrong';
        }
        await shelf.drop(trx, who);
        await markVerified(trx, who, sent.phone_number);
        return 'right';
      });
      if (found !== 'right') fail(found);
    },
  };
}

function phoneCodeText(code: string): string {
  return `${brand.name}: your code is ${code}. It works for 10 minutes. Nobody from ${brand.name} will ever ask you for it.`;
}
