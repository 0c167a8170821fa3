import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../lib/seal.ts';
import { newToken, tokenHash } from '../../lib/tokens.ts';

export type GuardianStore = ReturnType<typeof guardianStore>;

/** Guardians and their links. The key of a link is an HMAC over the guardian and a version: only the version is stored (P5.1). */
export function guardianStore(db: Db, clock: Clock, sealer: Sealer) {
  const keyOf = (guardian: { uuid: string; key_version: number }) => sealer.mac('guardian-key', `${guardian.uuid}:${guardian.key_version}`);
  const byUuid = (uuid: string, on: Db | Trx = db) => on.selectFrom('guardians').selectAll().where('uuid', '=', uuid).executeTakeFirst();

  return {
    keyOf,
    byUuid,
    list: (account: string, on: Db | Trx = db) =>
      on.selectFrom('guardians').selectAll().where('account', '=', account).orderBy('invited').orderBy('uuid').execute(),

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

    /** A new version of the key; whoever has an older link or a session of it is out. An invitation waits anew. */
    renew: (trx: Trx, account: string, uuid: string) =>
      trx
        .updateTable('guardians')
        .set({ key_version: sql`key_version + 1`, invited: clock.now() })
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .returningAll()
        .executeTakeFirst(),

    accept: (trx: Trx, uuid: string) =>
      trx.updateTable('guardians').set({ accepted: clock.now() }).where('uuid', '=', uuid).where('accepted', 'is', null).execute(),

    async newSession(guardian: { uuid: string; key_version: number }): Promise<string> {
      const token = newToken();
      await db
        .insertInto('guardian_sessions')
        .values({ token_hash: tokenHash(token), guardian: guardian.uuid, key_version: guardian.key_version, created: clock.now() })
        .execute();
      return token;
    },

    /** The guardian whose page `id` this cookie opens; null for any other, and once the key has a newer version. */
    async ofSession(id: string, token: string): Promise<string | null> {
      const row = await db
        .selectFrom('guardian_sessions as s')
        .innerJoin('guardians as g', (join) => join.onRef('g.uuid', '=', 's.guardian').onRef('g.key_version', '=', 's.key_version'))
        .select('g.uuid')
        .where('s.token_hash', '=', tokenHash(token))
        .executeTakeFirst();
      return row && row.uuid === id ? row.uuid : null;
    },
  };
}
