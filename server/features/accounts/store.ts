import { randomUUID } from 'node:crypto';
import type { Updateable } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { usablePhone } from '../../lib/usable-phone.ts';
import type { SignupGift } from './signup-codes.ts';

/** PostgreSQL's name for it. */
const uniqueViolation = '23505';

export type NewAccount = SignupGift & { name: string; email: string; password_hash: string; register_promo_code: string | null };
export type AccountStore = ReturnType<typeof accountStore>;

/** The people who hold an account. `prove_phones`: must a number be proved before it is used? */
export function accountStore(db: Db, clock: Clock, prove_phones = true) {
  const read = usablePhone(prove_phones);
  const byUuid = (uuid: string, on: Db | Trx = db) =>
    on.selectFrom('accounts').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow().then(read);
  const set = (on: Db | Trx, uuid: string, values: Updateable<Tables['accounts']>) =>
    on.updateTable('accounts').set(values).where('uuid', '=', uuid).execute();

  return {
    byUuid,
    /** For what may have been removed meanwhile. */
    find: (uuid: string, on: Db | Trx = db) => on.selectFrom('accounts').selectAll().where('uuid', '=', uuid).executeTakeFirst(),
    byEmail: (email: string, on: Db | Trx = db) =>
      on
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email.toLowerCase()))
        .executeTakeFirst(),

    /** Null when the address is taken, also by someone who registers at the same moment. */
    async create(trx: Trx, account: NewAccount) {
      const row = await trx
        .insertInto('accounts')
        .values({ uuid: randomUUID(), ...account, created: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .returning(['uuid', 'name', 'email'])
        .executeTakeFirst();
      return row ?? null;
    },

    markVerified: (trx: Trx, uuid: string) => set(trx, uuid, { email_verified: true }),
    setName: (trx: Trx, uuid: string, name: string) => set(trx, uuid, { name }),
    setPassword: (trx: Trx, uuid: string, password_hash: string) => set(trx, uuid, { password_hash }),

    /** An address that counts once it is confirmed (P2.4); null: none is waited for any more. */
    setPendingEmail: (trx: Trx, uuid: string, pending_email: string | null) => set(trx, uuid, { pending_email }),
    /** A confirmed address. False when someone else has it: the transaction is spoilt then, and must end. */
    setEmail: (trx: Trx, uuid: string, email: string): Promise<boolean> =>
      set(trx, uuid, { email, email_verified: true, pending_email: null }).then(
        () => true,
        (err: { code?: string }) => {
          if (err.code !== uniqueViolation) throw err;
          return false;
        },
      ),

    /** A number that is not proved yet; null takes it away. */
    setPhone: (trx: Trx, uuid: string, phone_number: string | null) => set(trx, uuid, { phone_number, phone_number_verified: false }),
    markPhoneVerified: (trx: Trx, uuid: string) => set(trx, uuid, { phone_number_verified: true }),

    /** The sealed PIN; made when there is none yet. Two that ask at once get the same one. */
    async pin(trx: Trx, uuid: string, make: () => string): Promise<string> {
      const { sealed_pin } = await byUuid(uuid, trx);
      if (sealed_pin) return sealed_pin;
      await trx.updateTable('accounts').set({ sealed_pin: make() }).where('uuid', '=', uuid).where('sealed_pin', 'is', null).execute();
      return (await byUuid(uuid, trx)).sealed_pin ?? '';
    },
    /** What the operator gives to an account: the parts that are there. */
    grant: (uuid: string, gift: Partial<SignupGift>) => set(db, uuid, gift),

    setPin: (trx: Trx, uuid: string, sealed_pin: string) => set(trx, uuid, { sealed_pin }),
  };
}
