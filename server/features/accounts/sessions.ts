import { randomUUID } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type AliasableExpression, type ExpressionBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { preparedQuery } from '../../db/prepared-query.ts';
import type { Tables } from '../../db/tables.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { SessionProof } from '../../ports.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';

/** Milliseconds between updates of `last_used`, to save writes. */
const lastUsedPrecisionMs = 60_000;

export type SessionStore = ReturnType<typeof sessionStore>;

/** Whether the plan of the statement's account is valid, as a part of the statement. */
export type ValidPlan = (eb: ExpressionBuilder<Tables, 'accounts'>) => AliasableExpression<boolean>;

/** The push messages of a holder's browsers end with their sessions, but not with a logout (P11.6). */
export interface BrowserPushes {
  endAll(trx: Trx, account: string): Promise<unknown>;
  endOthers(trx: Trx, account: string, session: string): Promise<unknown>;
}

/** Login sessions; their web tokens (P1.5) are stored as hashes. */
export function sessionStore(db: Db, clock: Clock, pushes: BrowserPushes) {
  /** However often it is used, a session ends 90 days after its login (P13.1). */
  const oldest = () => ({
    last_used: after(clock.now(), -serverLimits.session_unused),
    created: after(clock.now(), -serverLimits.session_life),
  });
  const isValid =
    ({ last_used, created } = oldest()) =>
    (eb: ExpressionBuilder<Tables, 'sessions'>) =>
      eb.and([eb('sessions.last_used', '>', last_used), eb('sessions.created', '>', created)]);

  const finder = (validPlan: ValidPlan) => {
    const sessionsWith = preparedQuery(db, (values: { token_hash: Buffer } & ReturnType<typeof oldest>) =>
      db
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.uuid', 'sessions.account')
        .select(['sessions.account', 'sessions.uuid as session', 'sessions.last_used', 'accounts.email_verified'])
        .select((eb) => validPlan(eb).as('has_plan'))
        .where('sessions.token_hash', '=', values.token_hash)
        .where(isValid(values)),
    );
    return async (token: string) => {
      const [row] = await sessionsWith({ token_hash: tokenHash(token), ...oldest() });
      if (!row) return null;
      const now = clock.now();
      const { last_used, ...session } = row;
      if (now.getTime() - last_used.getTime() > lastUsedPrecisionMs) {
        await db.updateTable('sessions').set({ last_used: now }).where('uuid', '=', session.session).execute();
      }
      return session;
    };
  };

  return {
    /** `browser`: a readable description. `proof`: the passkey that proved the holder; null: the password did. Returns the session's token. */
    async create(trx: Trx, account: string, browser: string, proof: string | null): Promise<string> {
      const token = newToken();
      const now = clock.now();
      await trx
        .insertInto('sessions')
        .values({
          token_hash: tokenHash(token),
          uuid: randomUUID(),
          account,
          browser,
          created: now,
          last_used: now,
          password_time: now,
          proof,
          opened_by: proof,
        })
        .execute();
      return token;
    },

    /** The session of a token; null when the token is invalid. */
    find: finder((eb) => eb.lit(false)),
    /** The same with the account's plan, in one statement. */
    findWithPlan: finder,

    /** Notes that the password was entered again in this session, or that a passkey answered (P10.2). `proof`: see `create`. */
    notePassword: (session: string, proof: string | null) =>
      db.updateTable('sessions').set({ password_time: clock.now(), proof }).where('uuid', '=', session).execute(),

    /** See `SessionProofLookup`. A session that neither the password nor a passkey opened has no proof. */
    async proofOf(session: string, connection: Db | Trx = db): Promise<SessionProof | null> {
      const row = await connection
        .selectFrom('sessions')
        .leftJoin('passkeys', (join) =>
          join.onRef('passkeys.account', '=', 'sessions.account').on(sql<boolean>`passkeys.uuid::text = sessions.proof`),
        )
        .select(['sessions.password_time', 'sessions.proof', 'passkeys.created as passkey_created'])
        .where('sessions.uuid', '=', session)
        .executeTakeFirst();
      if (!row?.password_time || (row.proof !== null && row.passkey_created === null)) return null;
      return { time: row.password_time, passkey_created: row.passkey_created };
    },

    /** The account's valid sessions, most recently used first. */
    list: (account: string) =>
      db
        .selectFrom('sessions')
        .select(['uuid', 'browser', 'created', 'last_used'])
        .where('account', '=', account)
        .where(isValid())
        .orderBy('last_used', 'desc')
        .orderBy('uuid')
        .execute(),

    async end(account: string, session: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('account', '=', account)
        .where('uuid', '=', session)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    /** Ends the other sessions that this passkey opened, or in which it proved the holder last, and returns them. */
    async endProvedBy(trx: Trx, account: string, passkey: string, session: string): Promise<string[]> {
      const ended = await trx
        .deleteFrom('sessions')
        .where('account', '=', account)
        .where((eb) => eb.or([eb('proof', '=', passkey), eb('opened_by', '=', passkey)]))
        .where('uuid', '<>', session)
        .returning('uuid')
        .execute();
      return ended.map(({ uuid }) => uuid);
    },

    async endAll(trx: Trx, account: string): Promise<void> {
      await trx.deleteFrom('sessions').where('account', '=', account).execute();
      await pushes.endAll(trx, account);
    },
    async endOthers(trx: Trx, account: string, session: string): Promise<void> {
      await trx.deleteFrom('sessions').where('account', '=', account).where('uuid', '<>', session).execute();
      await pushes.endOthers(trx, account, session);
    },
  };
}
