import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { newToken, tokenHash } from '../../lib/tokens.ts';

/** How exactly "last used" is kept: writing it on every call would write more than it tells. */
const precision = 60_000;

/** The browsers in which a guardian's page is open. Only the hash of a cookie is stored; a newer version of the key ends them all (P5.1). */
export function guardianSessions(db: Db, clock: Clock) {
  const oldest = () => after(clock.now(), -serverLimits.guardian_session_life);
  /** Those that open something. */
  const live = () =>
    db
      .selectFrom('guardian_sessions as s')
      .innerJoin('guardians as g', (join) => join.onRef('g.uuid', '=', 's.guardian').onRef('g.key_version', '=', 's.key_version'))
      .where('s.created', '>', oldest());

  return {
    /** `instead_of`: the cookie that this browser had until now. `browser`: in words. Answers the cookie. */
    async newSession(guardian: { uuid: string; key_version: number }, browser: string, instead_of: string | undefined): Promise<string> {
      const token = newToken();
      const now = clock.now();
      await db.transaction().execute(async (trx) => {
        // What opens nothing any more goes with it.
        await trx
          .deleteFrom('guardian_sessions')
          .where('guardian', '=', guardian.uuid)
          .where((eb) =>
            eb.or([
              eb('token_hash', '=', tokenHash(instead_of ?? '')),
              eb('created', '<=', oldest()),
              eb('key_version', '<', guardian.key_version),
            ]),
          )
          .execute();
        await trx
          .insertInto('guardian_sessions')
          .values({
            token_hash: tokenHash(token),
            guardian: guardian.uuid,
            key_version: guardian.key_version,
            browser,
            created: now,
            last_used: now,
          })
          .execute();
      });
      return token;
    },

    /** The guardian whose page `id` this cookie opens; null for any other. */
    async ofSession(id: string, token: string): Promise<{ guardian: string; session: string } | null> {
      const row = await live()
        .select(['g.uuid as guardian', 's.uuid as session', 's.last_used'])
        .where('s.token_hash', '=', tokenHash(token))
        .executeTakeFirst();
      if (row?.guardian !== id) return null;
      const now = clock.now();
      if (now.getTime() - row.last_used.getTime() > precision) {
        await db.updateTable('guardian_sessions').set({ last_used: now }).where('uuid', '=', row.session).execute();
      }
      return { guardian: row.guardian, session: row.session };
    },

    /** The last used first. */
    sessions: (guardian: string) =>
      live()
        .select(['s.uuid', 's.browser', 's.created', 's.last_used'])
        .where('s.guardian', '=', guardian)
        .orderBy('s.last_used', 'desc')
        .orderBy('s.uuid')
        .execute(),

    /** False when this guardian has no such session. */
    async endSession(guardian: string, session: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('guardian_sessions')
        .where('guardian', '=', guardian)
        .where('uuid', '=', session)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
