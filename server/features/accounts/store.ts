import { randomUUID } from 'node:crypto';
import { limits } from '@porchlight/contract/limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { newToken, tokenHash } from '../../lib/tokens.ts';

export type AccountStore = ReturnType<typeof accountStore>;
export type LinkPurpose = 'confirm' | 'reset';

/** Accounts and the links that are mailed to them. */
export function accountStore(db: Db, clock: Clock) {
  const byUuid = (uuid: string, on: Db | Trx = db) =>
    on.selectFrom('accounts').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();

  return {
    byUuid,
    byEmail: (email: string) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email.toLowerCase()))
        .executeTakeFirst(),

    /** Null when the address is taken, also by someone who registers at the same moment. */
    async create(trx: Trx, account: { name: string; email: string; password_hash: string; device_limit: number }) {
      const row = await trx
        .insertInto('accounts')
        .values({ uuid: randomUUID(), ...account, created: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .returning(['uuid', 'name', 'email'])
        .executeTakeFirst();
      return row ?? null;
    },

    /** A new link of its kind; the older ones stop working, only the newest counts (P2.1). Answers the token for the mail. */
    async newLink(trx: Trx, account: { uuid: string; email: string }, purpose: LinkPurpose): Promise<string> {
      const now = clock.now();
      const token = newToken();
      const life = purpose === 'confirm' ? limits.confirm_link_life : limits.reset_link_life;
      await trx
        .deleteFrom('email_links')
        .where('account', '=', account.uuid)
        .where('purpose', '=', purpose)
        .where('used', 'is', null)
        .execute();
      await trx
        .insertInto('email_links')
        .values({
          token_hash: tokenHash(token),
          account: account.uuid,
          purpose,
          email: account.email,
          created: now,
          expires: after(now, life),
        })
        .execute();
      return token;
    },

    /** The link of a token, locked until the transaction ends: two clicks at once are one after the other. */
    link: (trx: Trx, token: string, purpose: LinkPurpose) =>
      trx
        .selectFrom('email_links')
        .selectAll()
        .where('token_hash', '=', tokenHash(token))
        .where('purpose', '=', purpose)
        .forUpdate()
        .executeTakeFirst(),

    useLink: (trx: Trx, token: string) =>
      trx.updateTable('email_links').set({ used: clock.now() }).where('token_hash', '=', tokenHash(token)).execute(),

    markVerified: (trx: Trx, uuid: string) => trx.updateTable('accounts').set({ email_verified: true }).where('uuid', '=', uuid).execute(),

    setPassword: (trx: Trx, uuid: string, password_hash: string) =>
      trx.updateTable('accounts').set({ password_hash }).where('uuid', '=', uuid).execute(),
  };
}
