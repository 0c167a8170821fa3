import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';

/**
 * A `change` link goes to the new address, an `undo` link to the old address (P2.4). A `keep` link stops the account's deletion (P13.2). A `remove` link
 * removes a way to log in that was just added (P13.1).
 */
export type LinkPurpose = 'confirm' | 'reset' | 'change' | 'undo' | 'keep' | 'remove';
export type LinkStore = ReturnType<typeof linkStore>;

const lifetimesMs: Record<LinkPurpose, number> = {
  confirm: serverLimits.confirm_link_life,
  reset: serverLimits.reset_link_life,
  change: serverLimits.confirm_link_life,
  undo: serverLimits.email_undo,
  keep: serverLimits.deletion_wait,
  remove: serverLimits.remove_sign_in_link_life,
};

/** Every one of these links works until it ends. */
const independent: ReadonlySet<LinkPurpose> = new Set(['undo', 'keep', 'remove']);

/** Links sent by email. Only the hash of a link's token is stored. */
export function linkStore(clock: Clock) {
  /** Deletes unused links; `made_after` limits this to links created later. */
  const deleteLinks = (trx: Trx, account: string, purposes: LinkPurpose[], made_after = new Date(0)) =>
    trx
      .deleteFrom('email_links')
      .where('account', '=', account)
      .where('purpose', 'in', purposes)
      .where('used', 'is', null)
      .where('created', '>', made_after)
      .execute();

  return {
    /**
     * Returns the new link's token. Older links for the same purpose become invalid (P2.1), except `undo` and `remove`: a thief who changes the
     * address twice, or adds two passkeys, must not lock out the holder. Nor do `keep` links, since each email about a deletion must work.
     * `about`: which way to log in the link removes.
     */
    async create(
      trx: Trx,
      account: { uuid: string; email: string },
      purpose: LinkPurpose,
      { token = newToken(), about = null }: { token?: string; about?: string | null } = {},
    ): Promise<string> {
      const created = clock.now();
      if (!independent.has(purpose)) await deleteLinks(trx, account.uuid, [purpose]);
      await trx
        .insertInto('email_links')
        .values({
          token_hash: tokenHash(token),
          account: account.uuid,
          purpose,
          email: account.email,
          about,
          created,
          expires: after(created, lifetimesMs[purpose]),
        })
        .execute();
      return token;
    },

    /** The lock lets only one of several simultaneous clicks use the link. */
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

    /** Whether a link was made after this time. */
    async wasMadeAfter(trx: Trx, account: string, purpose: LinkPurpose, time: Date): Promise<boolean> {
      const link = await trx
        .selectFrom('email_links')
        .select('created')
        .where('account', '=', account)
        .where('purpose', '=', purpose)
        .where('created', '>', time)
        .limit(1)
        .executeTakeFirst();
      return link !== undefined;
    },

    /** The former addresses of an account that can still take it back (P2.4). */
    async formerAddresses(trx: Trx, account: string): Promise<string[]> {
      const rows = await trx
        .selectFrom('email_links')
        .select('email')
        .distinct()
        .where('account', '=', account)
        .where('purpose', '=', 'undo')
        .where('used', 'is', null)
        .where('expires', '>', clock.now())
        .execute();
      return rows.map(({ email }) => email);
    },

    drop: deleteLinks,
  };
}
