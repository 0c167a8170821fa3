import { randomUUID } from 'node:crypto';
import type { AccountHolder } from '@porchlight/contract/agent.ts';
import { sql, type Updateable } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PolicyPart } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';
import { maskedAddress } from '../../texts/mask-address.ts';
import { usablePhone } from '../../texts/usable-phone.ts';
import { secondStepExists } from './sign-in-methods/has-second-step.ts';
import type { SignupGift } from './signup-codes.ts';

const uniqueViolation = '23505';

export type NewAccount = SignupGift & { name: string; email: string; password_hash: string; register_promo_code: string | null };
export type AccountStore = ReturnType<typeof accountStore>;

/** What agents and people at their computers see of an account's holder. */
export const toAccountHolder = ({ name, email }: { name: string; email: string }): AccountHolder => ({
  first_name: firstName(name),
  masked_email: maskedAddress(email),
});

export const holderInPolicy: PolicyPart<AccountHolder, { name: string; email: string }> = {
  found: sql`(select jsonb_build_object('name', a.name, 'email', a.email) from accounts a where a.uuid = d.account)`,
  read: toAccountHolder,
};

/** `prove_phones`: whether a number must be verified before it is used. */
export function accountStore(db: Db, clock: Clock, prove_phones = true) {
  const withUsablePhone = usablePhone(prove_phones);
  const byUuid = (uuid: string, connection: Db | Trx = db) =>
    connection.selectFrom('accounts').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow().then(withUsablePhone);
  const update = (connection: Db | Trx, uuid: string, values: Updateable<Tables['accounts']>) =>
    connection.updateTable('accounts').set(values).where('uuid', '=', uuid).execute();

  const byEmail = (email: string, connection: Db | Trx = db) =>
    connection
      .selectFrom('accounts')
      .selectAll()
      .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email.toLowerCase()));

  return {
    byUuid,
    find: (uuid: string, connection: Db | Trx = db) =>
      connection.selectFrom('accounts').selectAll().where('uuid', '=', uuid).executeTakeFirst(),
    byEmail: (email: string, connection?: Db | Trx) => byEmail(email, connection).executeTakeFirst(),

    /** With whether a log-in needs a second step: in the same query, so that an unknown address takes as long. */
    ofLogin: (email: string) =>
      byEmail(email)
        .select(secondStepExists(sql.ref('accounts.uuid')).as('second_step'))
        .executeTakeFirst(),

    /** Creates the account; null when the email address is taken, also by a simultaneous registration. */
    async create(trx: Trx, account: NewAccount) {
      const row = await trx
        .insertInto('accounts')
        .values({ uuid: randomUUID(), ...account, created: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .returning(['uuid', 'name', 'email'])
        .executeTakeFirst();
      return row ?? null;
    },

    markVerified: (trx: Trx, uuid: string) => update(trx, uuid, { email_verified: true }),
    setName: (trx: Trx, uuid: string, name: string) => update(trx, uuid, { name }),
    /** Whether this is still the password's hash. A new password then waits until the transaction ends. */
    async hasPassword(trx: Trx, uuid: string, password_hash: string): Promise<boolean> {
      const row = trx.selectFrom('accounts').select('uuid').where('uuid', '=', uuid).where('password_hash', '=', password_hash);
      return (await row.forShare().executeTakeFirst()) !== undefined;
    },
    setPassword: (trx: Trx, uuid: string, password_hash: string) => update(trx, uuid, { password_hash }),

    /** Stores a new address, which takes effect once confirmed (P2.4); null cancels the change. */
    setPendingEmail: (trx: Trx, uuid: string, pending_email: string | null) => update(trx, uuid, { pending_email }),
    /** False when another account has the email address; the transaction has failed then and must end. */
    setEmail: (trx: Trx, uuid: string, email: string): Promise<boolean> =>
      update(trx, uuid, { email, email_verified: true, pending_email: null }).then(
        () => true,
        (err: { code?: string }) => {
          if (err.code !== uniqueViolation) throw err;
          return false;
        },
      ),

    /** Accounts with this verified number (E.164). */
    withPhone: async (phone_number: string) => {
      const rows = await db.selectFrom('accounts').selectAll().where('phone_number', '=', phone_number).execute();
      return rows.map(withUsablePhone).filter((row) => row.phone_number_verified);
    },

    setPhone: (trx: Trx, uuid: string, phone_number: string | null) =>
      update(trx, uuid, { phone_number, phone_number_verified: false, phone_verified_time: null }),
    markPhoneVerified: (trx: Trx, uuid: string) => update(trx, uuid, { phone_number_verified: true, phone_verified_time: clock.now() }),

    /** Creates the PIN if necessary. Simultaneous calls get the same PIN. */
    async pin(trx: Trx, uuid: string, newPin: () => string): Promise<string> {
      const { sealed_pin } = await byUuid(uuid, trx);
      if (sealed_pin) return sealed_pin;
      await trx.updateTable('accounts').set({ sealed_pin: newPin() }).where('uuid', '=', uuid).where('sealed_pin', 'is', null).execute();
      return (await byUuid(uuid, trx)).sealed_pin ?? '';
    },
    grant: (uuid: string, gift: Partial<SignupGift>) => update(db, uuid, gift),

    setPin: (trx: Trx, uuid: string, sealed_pin: string) => update(trx, uuid, { sealed_pin }),
  };
}
