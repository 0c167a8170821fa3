import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { newToken, tokenHash } from '../../lib/tokens.ts';

/** `change` goes to a new address, `undo` to the one that it takes the place of (P2.4). */
export type LinkPurpose = 'confirm' | 'reset' | 'change' | 'undo';
export type LinkStore = ReturnType<typeof linkStore>;

const life: Record<LinkPurpose, number> = {
  confirm: serverLimits.confirm_link_life,
  reset: serverLimits.reset_link_life,
  change: serverLimits.confirm_link_life,
  undo: serverLimits.email_undo,
};

/** The links that are mailed to people. Only the hash of a link's token is stored. */
export function linkStore(clock: Clock) {
  /** Ends the unused ones; with `made_after` those only that are younger. */
  const drop = (trx: Trx, account: string, purposes: LinkPurpose[], made_after = new Date(0)) =>
    trx
      .deleteFrom('email_links')
      .where('account', '=', account)
      .where('purpose', 'in', purposes)
      .where('used', 'is', null)
      .where('created', '>', made_after)
      .execute();

  return {
    /**
     * A new link of its kind. The older ones stop working, only the newest counts (P2.1); but never those that take a change back:
     * whoever changes the address twice must not lock out its first owner. Answers the token for the mail.
     */
    async create(trx: Trx, account: { uuid: string; email: string }, purpose: LinkPurpose, token = newToken()): Promise<string> {
      const created = clock.now();
      if (purpose !== 'undo') await drop(trx, account.uuid, [purpose]);
      await trx
        .insertInto('email_links')
        .values({
          token_hash: tokenHash(token),
          account: account.uuid,
          purpose,
          email: account.email,
          created,
          expires: after(created, life[purpose]),
        })
        .execute();
      return token;
    },

    /** The link of a token, locked until the transaction ends: two clicks at once are one after the other. */
    find: (trx: Trx, token: string, purposes: LinkPurpose[]) =>
      trx
        .selectFrom('email_links')
        .selectAll()
        .where('token_hash', '=', tokenHash(token))
        .where('purpose', 'in', purposes)
        .forUpdate()
        .executeTakeFirst(),

    use: (trx: Trx, token: string) =>
      trx.updateTable('email_links').set({ used: clock.now() }).where('token_hash', '=', tokenHash(token)).execute(),

    drop,
  };
}
