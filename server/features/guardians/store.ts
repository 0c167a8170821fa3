import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../lib/seal.ts';
import { usablePhone } from '../../lib/usable-phone.ts';
import { guardianSessions } from './sessions.ts';

export type GuardianStore = ReturnType<typeof guardianStore>;
export type GuardianRow = Selectable<Tables['guardians']>;

const invitedAnew = { accepted: null, declined: null, left_at: null };
const noPhone = { phone_number: null, phone_number_verified: false };

/** Guardians and their links. `prove_phones`: must a number be proved before it is used? The key of a link is an HMAC over the guardian and a version: only the version is stored (P5.1). */
export function guardianStore(db: Db, clock: Clock, sealer: Sealer, prove_phones = true) {
  const read = usablePhone(prove_phones);
  const readOne = (row: GuardianRow | undefined) => row && read(row);
  const keyOf = (guardian: { uuid: string; key_version: number }) => sealer.mac('guardian-key', `${guardian.uuid}:${guardian.key_version}`);
  const byUuid = (uuid: string, on: Db | Trx = db) =>
    on.selectFrom('guardians').selectAll().where('uuid', '=', uuid).executeTakeFirst().then(readOne);
  const set = (trx: Trx, uuid: string, values: Updateable<Tables['guardians']>) =>
    trx.updateTable('guardians').set(values).where('uuid', '=', uuid).execute();

  return {
    keyOf,
    byUuid,
    /** Locked until the transaction ends: what a guardian does, and their removal, come one after the other. */
    locked: (trx: Trx, uuid: string) =>
      trx.selectFrom('guardians').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst().then(readOne),

    list: (account: string, on: Db | Trx = db) =>
      on
        .selectFrom('guardians')
        .selectAll()
        .where('account', '=', account)
        .orderBy('invited')
        .orderBy('uuid')
        .execute()
        .then((rows) => rows.map(read)),

    /** Those who have accepted. */
    active: (account: string, on: Db | Trx = db) =>
      on
        .selectFrom('guardians')
        .selectAll()
        .where('account', '=', account)
        .where('accepted', 'is not', null)
        .orderBy('invited')
        .orderBy('uuid')
        .execute()
        .then((rows) => rows.map(read)),

    get: (account: string, uuid: string) =>
      db.selectFrom('guardians').selectAll().where('account', '=', account).where('uuid', '=', uuid).executeTakeFirst().then(readOne),

    /** Whoever is a guardian with this address, of any account. */
    byEmail: (email: string, on: Db | Trx = db) =>
      on
        .selectFrom('guardians')
        .selectAll()
        .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email.toLowerCase()))
        .orderBy('uuid')
        .execute(),

    /** Those who have accepted and proved this number (E.164). */
    withPhone: (phone_number: string, on: Db | Trx = db) =>
      on
        .selectFrom('guardians')
        .selectAll()
        .where('phone_number', '=', phone_number)
        .where('accepted', 'is not', null)
        .execute()
        .then((rows) => rows.map(read).filter((row) => row.phone_number_verified)),

    listLocked: async (trx: Trx, account: string) => {
      await trx.selectFrom('accounts').select('uuid').where('uuid', '=', account).forUpdate().execute();
      return trx.selectFrom('guardians').selectAll().where('account', '=', account).execute();
    },

    create: (trx: Trx, account: string, name: string, email: string) =>
      trx
        .insertInto('guardians')
        .values({ uuid: randomUUID(), account, name, email, invited: clock.now() })
        .returningAll()
        .executeTakeFirstOrThrow(),

    remove: (trx: Trx, account: string, uuid: string) =>
      trx.deleteFrom('guardians').where('account', '=', account).where('uuid', '=', uuid).returningAll().executeTakeFirst(),

    /** A new version of the key; whoever has an older link or a session of it is out. An invitation waits anew, also for who had said no or left. */
    renew: (trx: Trx, account: string, uuid: string) =>
      trx
        .updateTable('guardians')
        .set({ key_version: sql`key_version + 1`, invited: clock.now(), declined: null, left_at: null })
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .returningAll()
        .executeTakeFirst(),

    accept: (trx: Trx, uuid: string) => set(trx, uuid, { ...invitedAnew, accepted: clock.now() }),
    decline: (trx: Trx, uuid: string) => set(trx, uuid, { ...invitedAnew, declined: clock.now() }),
    /** What they told us about themselves goes with them. */
    leave: (trx: Trx, uuid: string) => set(trx, uuid, { ...invitedAnew, left_at: clock.now(), mail: true, sms: true, ...noPhone }),

    setReach: (trx: Trx, uuid: string, reach: { mail?: boolean; sms?: boolean }) => set(trx, uuid, reach),
    /** A number that is not proved yet; null takes it away. */
    setPhone: (trx: Trx, uuid: string, phone_number: string | null) => set(trx, uuid, { phone_number, phone_number_verified: false }),
    markPhoneVerified: (trx: Trx, uuid: string, phone_number: string) =>
      trx
        .updateTable('guardians')
        .set({ phone_number_verified: true })
        .where('uuid', '=', uuid)
        .where('phone_number', '=', phone_number)
        .execute(),

    ...guardianSessions(db, clock),
  };
}
