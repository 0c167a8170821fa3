import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../../db/open.ts';
import { after, type Clock } from '../../../lib/clock.ts';
import type { Sealer } from '../../../secrets/seal.ts';
import type { AuthenticatorSetup } from './authenticator-setup.ts';
import { totpStep } from './totp.ts';

export type AuthenticatorStore = ReturnType<typeof authenticatorStore>;

const noFormer = { former_secret: null, former_created: null, former_last_step: null, former_setup: null, former_until: null };

/**
 * The authenticator app of an account. Its secret is sealed, not hashed, because codes are computed from it.
 *
 * The link of the email about an app brings back what was there before, or else a reader of the mailbox could take the second step away from an
 * account by it. So an app that is replaced becomes the former one, unless a link could still remove it: who replaces their own app again and
 * again, each time with a new link, does not get rid of what was there before.
 */
export function authenticatorStore(clock: Clock, sealer: Sealer) {
  /** Apps of this time and before are not removed by a link any more. */
  const linkEnded = () => after(clock.now(), -serverLimits.remove_sign_in_link_life);

  const remove = async (trx: Trx, account: string): Promise<boolean> => {
    const { numDeletedRows } = await trx.deleteFrom('authenticators').where('account', '=', account).executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  };

  /** Once no link removes the present app, nothing brings the former one back. */
  const dropUnneededFormer = (trx: Trx, account: string) =>
    trx
      .updateTable('authenticators')
      .set(noFormer)
      .where('account', '=', account)
      .where('created', '<=', linkEnded())
      .where('former_until', 'is not', null)
      .execute();

  return {
    /** Replaces the present one. `step`: of the first code, which is used up by it. */
    async put(trx: Trx, account: string, setup: AuthenticatorSetup, step: number): Promise<void> {
      const created = clock.now();
      await trx
        .updateTable('authenticators')
        .set(({ ref }) => ({
          former_secret: ref('sealed_secret'),
          former_created: ref('created'),
          former_last_step: ref('last_step'),
          former_setup: ref('setup'),
          former_until: created,
        }))
        .where('account', '=', account)
        .where('created', '<=', linkEnded())
        .execute();
      const row = { sealed_secret: sealer.seal(setup.secret), created, last_step: step, setup: setup.uuid };
      await trx
        .insertInto('authenticators')
        .values({ account, ...row })
        .onConflict((oc) =>
          oc.column('account').doUpdateSet(({ fn, ref }) => ({
            ...row,
            former_until: fn.coalesce(ref('authenticators.former_until'), ref('authenticators.created')),
          })),
        )
        .execute();
    },

    /** The app that was set up with this, which no app that replaced it was. `since`: when the first addition was that `undo` undoes. */
    find: (trx: Trx, account: string, setup: string) =>
      trx
        .selectFrom('authenticators')
        .select(({ fn }) => ['created', fn.coalesce('former_until', 'created').as('since')])
        .where('account', '=', account)
        .where('setup', '=', setup)
        .executeTakeFirst(),

    /** False if there is none. Nothing comes back. */
    remove,

    /** Removes the app, and brings back the former one, if there is any, with the codes that were used of it. */
    async undo(trx: Trx, account: string): Promise<void> {
      const { numUpdatedRows } = await trx
        .updateTable('authenticators')
        .set(({ ref }) => ({
          sealed_secret: ref('former_secret').$notNull(),
          created: ref('former_created').$notNull(),
          last_step: ref('former_last_step').$notNull(),
          setup: ref('former_setup'),
          ...noFormer,
        }))
        .where('account', '=', account)
        .where('former_secret', 'is not', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) await remove(trx, account);
    },

    /** Uses up a code of six digits. False if it is wrong, or was used; of parallel calls, one gets true. */
    async useCode(trx: Trx, account: string, code: string): Promise<boolean> {
      const row = await trx.selectFrom('authenticators').select('sealed_secret').where('account', '=', account).executeTakeFirst();
      if (!row) return false;
      const step = totpStep(sealer.open(row.sealed_secret), code, clock.now());
      if (step === null) return false;
      const { numUpdatedRows } = await trx
        .updateTable('authenticators')
        .set({ last_step: step })
        .where('account', '=', account)
        .where('sealed_secret', '=', row.sealed_secret)
        .where('last_step', '<', String(step))
        .executeTakeFirstOrThrow();
      if (numUpdatedRows !== 1n) return false;
      await dropUnneededFormer(trx, account);
      return true;
    },
  };
}
