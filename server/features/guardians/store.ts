import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type Updateable } from 'kysely';
import { lockAccount } from '../../db/lock-account.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PolicyPart } from '../../ports.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { firstName } from '../../texts/formatting.ts';
import { usablePhone } from '../../texts/usable-phone.ts';
import { orderOf } from './rules.ts';
import { guardianSessions } from './sessions.ts';

export type GuardianStore = ReturnType<typeof guardianStore>;
export type GuardianRow = Selectable<Tables['guardians']>;

const restartedInvitation = { accepted: null, declined: null, left_at: null };
const noPhone = { phone_number: null, phone_number_verified: false, phone_verified_time: null };

/** The first names of the active guardians, in the order in which they are called. */
export const guardiansInPolicy: PolicyPart<string[], string[] | null> = {
  found: sql`(
    select array_agg(g.name order by g.position, g.invited, g.uuid)
    from guardians g where g.account = d.account and g.accepted is not null)`,
  read: (found) => (found ?? []).map(firstName),
};

/**
 * Guardians and their links. `prove_phones`: whether numbers must be verified before use. A link's key is an HMAC of guardian and version,
 * so that only the version is stored (P5.1).
 */
export function guardianStore(db: Db, clock: Clock, sealer: Sealer, prove_phones = true) {
  const withUsablePhone = usablePhone(prove_phones);
  const readOne = (row: GuardianRow | undefined) => row && withUsablePhone(row);
  const keyOf = (guardian: { uuid: string; key_version: number }) => sealer.mac('guardian-key', `${guardian.uuid}:${guardian.key_version}`);
  const byUuid = (uuid: string, connection: Db | Trx = db) =>
    connection.selectFrom('guardians').selectAll().where('uuid', '=', uuid).executeTakeFirst().then(readOne);
  const update = (trx: Trx, uuid: string, values: Updateable<Tables['guardians']>) =>
    trx.updateTable('guardians').set(values).where('uuid', '=', uuid).execute();

  /** In the order in which they are called (P11.1): as the holder set it, then those who were added since. */
  const inOrder = (connection: Db | Trx, account: string) =>
    connection
      .selectFrom('guardians')
      .selectAll()
      .where('account', '=', account)
      // Null comes last in PostgreSQL.
      .orderBy('position')
      .orderBy('invited')
      .orderBy('uuid');

  const listLocked = async (trx: Trx, account: string) => {
    await lockAccount(trx, account);
    return inOrder(trx, account).execute();
  };
  return {
    keyOf,
    byUuid,
    /** Locks the guardian until the transaction ends, so that their actions and removal do not overlap. */
    locked: (trx: Trx, uuid: string) =>
      trx.selectFrom('guardians').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst().then(readOne),

    list: (account: string, connection: Db | Trx = db) =>
      inOrder(connection, account)
        .execute()
        .then((rows) => rows.map(withUsablePhone)),

    active: (account: string, connection: Db | Trx = db) =>
      inOrder(connection, account)
        .where('accepted', 'is not', null)
        .execute()
        .then((rows) => rows.map(withUsablePhone)),

    get: (account: string, uuid: string) =>
      db.selectFrom('guardians').selectAll().where('account', '=', account).where('uuid', '=', uuid).executeTakeFirst().then(readOne),

    byEmail: (email: string, connection: Db | Trx = db) =>
      connection
        .selectFrom('guardians')
        .selectAll()
        .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email.toLowerCase()))
        .orderBy('uuid')
        .execute(),

    /** Active guardians with this verified number (E.164). */
    withPhone: (phone_number: string, connection: Db | Trx = db) =>
      connection
        .selectFrom('guardians')
        .selectAll()
        .where('phone_number', '=', phone_number)
        .where('accepted', 'is not', null)
        .execute()
        .then((rows) => rows.map(withUsablePhone).filter((row) => row.phone_number_verified)),

    listLocked,

    /** `order`: ids of guardians; those of the account who are not among them come last, in the order that they had. */
    async setOrder(trx: Trx, account: string, order: string[]): Promise<void> {
      const rows = await listLocked(trx, account);
      const placed = orderOf(rows, order);
      for (const [n, { uuid }] of placed.entries()) await update(trx, uuid, { position: n + 1 });
    },

    create: (trx: Trx, account: string, name: string, email: string) =>
      trx
        .insertInto('guardians')
        .values({ uuid: randomUUID(), account, name, email, invited: clock.now() })
        .returningAll()
        .executeTakeFirstOrThrow(),

    remove: (trx: Trx, account: string, uuid: string) =>
      trx.deleteFrom('guardians').where('account', '=', account).where('uuid', '=', uuid).returningAll().executeTakeFirst(),

    setMayIsolate: (trx: Trx, account: string, uuid: string, may_isolate: boolean | null) =>
      trx.updateTable('guardians').set({ may_isolate }).where('account', '=', account).where('uuid', '=', uuid).execute(),

    /** Restarts the invitation, even after declining or leaving; the new key version ends links and sessions. */
    renew: (trx: Trx, account: string, uuid: string) =>
      trx
        .updateTable('guardians')
        .set({
          key_version: sql`key_version + 1`,
          // A new link moves no active guardian to the end of the order of calls.
          invited: sql`case when accepted is null then ${clock.now()} else invited end`,
          ...{ declined: null, left_at: null },
        })
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .returningAll()
        .executeTakeFirst(),

    accept: (trx: Trx, uuid: string) => update(trx, uuid, { ...restartedInvitation, accepted: clock.now() }),
    decline: (trx: Trx, uuid: string) => update(trx, uuid, { ...restartedInvitation, declined: clock.now() }),
    leave: (trx: Trx, uuid: string) =>
      update(trx, uuid, {
        ...restartedInvitation,
        left_at: clock.now(),
        mail: true,
        mail_ends: null,
        weekly: true,
        every_week: false,
        sms: true,
        ...noPhone,
      }),

    setReach: (trx: Trx, uuid: string, reach: Pick<Updateable<Tables['guardians']>, 'mail' | 'sms' | 'weekly' | 'every_week'>) =>
      update(trx, uuid, { ...reach, ...(reach.mail === undefined ? {} : { mail_ends: null }) }),

    /** Ends emails after the incident; the first time counts. */
    endMailLater: (trx: Trx, uuid: string) =>
      trx.updateTable('guardians').set({ mail_ends: clock.now() }).where('uuid', '=', uuid).where('mail_ends', 'is', null).execute(),

    /** Guardians whose emails end after the incident, locked. */
    mailEnding: (trx: Trx, account: string) =>
      trx
        .selectFrom('guardians')
        .selectAll()
        .where('account', '=', account)
        .where('mail_ends', 'is not', null)
        .orderBy('uuid')
        .forUpdate()
        .execute()
        .then((rows) => rows.map(withUsablePhone)),

    setPhone: (trx: Trx, uuid: string, phone_number: string | null) => update(trx, uuid, { ...noPhone, phone_number }),
    markPhoneVerified: (trx: Trx, uuid: string, phone_number: string) =>
      trx
        .updateTable('guardians')
        .set({ phone_number_verified: true, phone_verified_time: clock.now() })
        .where('uuid', '=', uuid)
        .where('phone_number', '=', phone_number)
        .execute(),

    ...guardianSessions(db, clock),
  };
}
