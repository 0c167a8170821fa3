import { randomUUID } from 'node:crypto';
import type { Db, Trx } from '../../../db/open.ts';
import type { Clock } from '../../../lib/clock.ts';

/** The form that browsers give. `credential_id` names it among all passkeys. */
export interface PasskeyKey {
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  transports: string;
}

export type PasskeyStore = ReturnType<typeof passkeyStore>;

export function passkeyStore(db: Db, clock: Clock) {
  return {
    /** The account's passkeys, the oldest first. */
    list: (account: string, connection: Db | Trx = db) =>
      connection.selectFrom('passkeys').selectAll().where('account', '=', account).orderBy('created').orderBy('uuid').execute(),

    byCredential: (credential_id: Buffer) =>
      db
        .selectFrom('passkeys')
        .select(['uuid', 'account', 'public_key', 'counter'])
        .where('credential_id', '=', credential_id)
        .executeTakeFirst(),

    /** Returns its uuid; null if an account has this passkey already. */
    async add(trx: Trx, account: string, name: string, key: PasskeyKey): Promise<string | null> {
      const row = await trx
        .insertInto('passkeys')
        .values({ uuid: randomUUID(), account, name, ...key, created: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .returning('uuid')
        .executeTakeFirst();
      return row?.uuid ?? null;
    },

    find: (trx: Trx, account: string, uuid: string) =>
      trx.selectFrom('passkeys').select(['name', 'created']).where('account', '=', account).where('uuid', '=', uuid).executeTakeFirst(),

    /** The name of the removed passkey; null if the account has no such one. */
    async remove(trx: Trx, account: string, uuid: string): Promise<string | null> {
      const row = await trx
        .deleteFrom('passkeys')
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .returning('name')
        .executeTakeFirst();
      return row?.name ?? null;
    },

    /**
     * False if the passkey was removed meanwhile, or if another answer has counted as far: then a copy of the passkey exists. Passkeys that are
     * synchronized between computers do not count and stay at 0.
     */
    async noteUse(trx: Trx, uuid: string, counter: number): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('passkeys')
        .set({ counter, last_used: clock.now() })
        .where('uuid', '=', uuid)
        .where((eb) => (counter === 0 ? eb('counter', '=', '0') : eb('counter', '<', String(counter))))
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}
