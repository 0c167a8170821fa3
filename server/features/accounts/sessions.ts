import { randomUUID } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { newToken, tokenHash } from '../../lib/tokens.ts';

/** How exactly "last used" is kept: writing it on every call would write more than it tells. */
const precision = 60_000;

export type SessionStore = ReturnType<typeof sessionStore>;

/** Web tokens (P1.5): only the hash is stored; one ends on log-out, a new password, or after 30 days unused. */
export function sessionStore(db: Db, clock: Clock) {
  const oldest = () => after(clock.now(), -serverLimits.session_unused);

  return {
    /** `browser`: in words, for the list of sessions. Answers the token. */
    async create(trx: Trx, account: string, browser: string): Promise<string> {
      const token = newToken();
      const now = clock.now();
      await trx
        .insertInto('sessions')
        .values({ token_hash: tokenHash(token), uuid: randomUUID(), account, browser, created: now, last_used: now })
        .execute();
      return token;
    },

    /** Whose token this is; null for one that is unknown, ended or too long unused. */
    async find(token: string) {
      const now = clock.now();
      const row = await db
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.uuid', 'sessions.account')
        .select(['sessions.account', 'sessions.uuid as session', 'sessions.last_used', 'accounts.email_verified'])
        .where('sessions.token_hash', '=', tokenHash(token))
        .where('sessions.last_used', '>', oldest())
        .executeTakeFirst();
      if (!row) return null;
      if (now.getTime() - row.last_used.getTime() > precision) {
        await db.updateTable('sessions').set({ last_used: now }).where('uuid', '=', row.session).execute();
      }
      return { account: row.account, session: row.session, email_verified: row.email_verified };
    },

    /** Those that still open something, the last used first. */
    list: (account: string) =>
      db
        .selectFrom('sessions')
        .select(['uuid', 'browser', 'created', 'last_used'])
        .where('account', '=', account)
        .where('last_used', '>', oldest())
        .orderBy('last_used', 'desc')
        .orderBy('uuid')
        .execute(),

    /** False when the account has no such session. */
    async end(account: string, session: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('account', '=', account)
        .where('uuid', '=', session)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    endAll: (trx: Trx, account: string) => trx.deleteFrom('sessions').where('account', '=', account).execute(),
    endOthers: (trx: Trx, account: string, session: string) =>
      trx.deleteFrom('sessions').where('account', '=', account).where('uuid', '<>', session).execute(),
  };
}
