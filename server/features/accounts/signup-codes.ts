import { randomInt, randomUUID } from 'node:crypto';
import { device_code_alphabet } from '@porchlight/contract/codes.ts';
import { z } from 'zod';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type SignupCodeStore = ReturnType<typeof signupCodeStore>;

export interface SignupGift {
  device_limit: number;
  external: boolean;
  lifetime: boolean;
}
/** `expires`: the code works before this moment; null means that it never expires. */
export type NewSignupCode = SignupGift & { code: string; note: string; max_uses: number; expires: Date | null };

export function newSignupCode(): string {
  const randomCharacter = () => device_code_alphabet[randomInt(device_code_alphabet.length)];
  const characterGroup = () => Array.from({ length: 5 }, randomCharacter).join('');
  return `${characterGroup()}-${characterGroup()}`;
}

/** Sign-up codes, such as from a bank, give new accounts benefits. They are not case-sensitive. */
export function signupCodeStore(db: Db, clock: Clock) {
  const refusalOf = (row: { uses: number; max_uses: number; expires: Date | null }) => {
    if (row.uses >= row.max_uses) return 'used';
    return row.expires && row.expires <= clock.now() ? 'expired' : null;
  };

  return {
    /** The code's id for `/register`, or why the code is refused; null when unknown. Does not use up the code (P1.6). */
    async find(code: string): Promise<{ signup_code_id: string } | 'used' | 'expired' | null> {
      const row = await db
        .selectFrom('signup_codes')
        .select(['uuid', 'uses', 'max_uses', 'expires'])
        .where((eb) => eb(eb.fn<string>('upper', ['code']), '=', code.trim().toUpperCase()))
        .executeTakeFirst();
      return row ? (refusalOf(row) ?? { signup_code_id: row.uuid }) : null;
    },

    /** One conditional update, so that only one of several simultaneous registrations gets the last use. */
    async use(trx: Trx, id: string): Promise<SignupGift | 'used' | 'expired' | null> {
      if (!z.uuid().safeParse(id).success) return null;
      const gift = await trx
        .updateTable('signup_codes')
        .set((eb) => ({ uses: eb('uses', '+', 1) }))
        .where('uuid', '=', id)
        .whereRef('uses', '<', 'max_uses')
        .where((eb) => eb.or([eb('expires', 'is', null), eb('expires', '>', clock.now())]))
        .returning(['device_limit', 'external', 'lifetime'])
        .executeTakeFirst();
      if (gift) return gift;
      const row = await trx.selectFrom('signup_codes').select(['uses', 'max_uses', 'expires']).where('uuid', '=', id).executeTakeFirst();
      return row ? refusalOf(row) : null;
    },

    async create(code: NewSignupCode): Promise<boolean> {
      const inserted = await db
        .insertInto('signup_codes')
        .values({ uuid: randomUUID(), ...code, created: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirst();
      return inserted.numInsertedOrUpdatedRows === 1n;
    },

    list: () => db.selectFrom('signup_codes').selectAll().orderBy('created', 'desc').orderBy('code').execute(),
  };
}
