import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';

/** Milliseconds between updates of `last_used`, to save writes. */
const lastUsedPrecisionMs = 60_000;

/** A guardian's browser sessions. Only the cookie's hash is stored; a new key version ends all sessions (P5.1). */
export function guardianSessions(db: Db, clock: Clock) {
  const oldest = () => after(clock.now(), -serverLimits.guardian_session_life);
  const validSessions = () =>
    db
      .selectFrom('guardian_sessions as s')
      .innerJoin('guardians as g', (join) => join.onRef('g.uuid', '=', 's.guardian').onRef('g.key_version', '=', 's.key_version'))
      .where('s.created', '>', oldest());

  return {
    /** `browser`: a readable description. Returns the cookie. */
    async newSession(
      guardian: { uuid: string; key_version: number },
      browser: string,
      previousCookie: string | undefined,
    ): Promise<string> {
      const token = newToken();
      const now = clock.now();
      await db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('guardian_sessions')
          .where('guardian', '=', guardian.uuid)
          .where((eb) =>
            eb.or([
              eb('token_hash', '=', tokenHash(previousCookie ?? '')),
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

    /** The session of a cookie; null unless the cookie belongs to the page `id`. */
    async ofSession(id: string, token: string): Promise<{ guardian: string; session: string } | null> {
      const row = await validSessions()
        .select(['g.uuid as guardian', 's.uuid as session', 's.last_used'])
        .where('s.token_hash', '=', tokenHash(token))
        .executeTakeFirst();
      if (row?.guardian !== id) return null;
      const now = clock.now();
      if (now.getTime() - row.last_used.getTime() > lastUsedPrecisionMs) {
        await db.updateTable('guardian_sessions').set({ last_used: now }).where('uuid', '=', row.session).execute();
      }
      return { guardian: row.guardian, session: row.session };
    },

    /** A guardian's valid sessions, most recently used first. */
    sessions: (guardian: string) =>
      validSessions()
        .select(['s.uuid', 's.browser', 's.created', 's.last_used'])
        .where('s.guardian', '=', guardian)
        .orderBy('s.last_used', 'desc')
        .orderBy('s.uuid')
        .execute(),

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
