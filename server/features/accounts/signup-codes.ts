import { randomInt, randomUUID } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { z } from 'zod';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type SignupCodeStore = ReturnType<typeof signupCodeStore>;

/** What an account gets that is opened with a code. */
export interface SignupGift {
  device_limit: number;
  external: boolean;
  lifetime: boolean;
}
/** `expires`: the last moment at which it works; null means that it does not end. */
export type NewSignupCode = SignupGift & { code: string; note: string; max_uses: number; expires: Date | null };

/** A code for an operator who did not think of one: ten letters and digits that nobody mixes up, about 50 bits. */
export function newSignupCode(): string {
  const pick = () => serverLimits.device_code_alphabet[randomInt(serverLimits.device_code_alphabet.length)];
  const group = () => Array.from({ length: 5 }, pick).join('');
  return `${group()}-${group()}`;
}

/** Codes that open an account with something given along: what a bank gives its clients. Case does not matter in a code. */
export function signupCodeStore(db: Db, clock: Clock) {
  const whyNot = (row: { uses: number; max_uses: number; expires: Date | null }) => {
    if (row.uses >= row.max_uses) return 'used';
    return row.expires && row.expires <= clock.now() ? 'expired' : null;
  };

  return {
    /** What `/register` wants for this code, or why it no longer works; null when there is no such code. Looking does not use it (P1.6). */
    async look(code: string): Promise<{ signup_code_id: string } | 'used' | 'expired' | null> {
      const row = await db
        .selectFrom('signup_codes')
        .select(['uuid', 'uses', 'max_uses', 'expires'])
        .where((eb) => eb(eb.fn<string>('upper', ['code']), '=', code.trim().toUpperCase()))
        .executeTakeFirst();
      return row ? (whyNot(row) ?? { signup_code_id: row.uuid }) : null;
    },

    /** Uses it once, together with what else the transaction does: of fifty that race for the last use one update finds it. */
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
      return row ? whyNot(row) : null;
    },

    /** False when the code is taken. */
    async create(code: NewSignupCode): Promise<boolean> {
      const made = await db
        .insertInto('signup_codes')
        .values({ uuid: randomUUID(), ...code, created: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirst();
      return made.numInsertedOrUpdatedRows === 1n;
    },

    list: () => db.selectFrom('signup_codes').selectAll().orderBy('created', 'desc').orderBy('code').execute(),
  };
}
