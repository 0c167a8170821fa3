import type { Trx } from '../../../db/open.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Sealer } from '../../../lib/seal.ts';
import type { AuthenticatorSetup } from './authenticator-setup.ts';
import { totpStep } from './totp.ts';

export type AuthenticatorStore = ReturnType<typeof authenticatorStore>;

/** The authenticator app of an account. Its secret is sealed, not hashed, because codes are computed from it. */
export function authenticatorStore(clock: Clock, sealer: Sealer) {
  return {
    /** Replaces the former one. `step`: of the first code, which is used up by it. */
    async put(trx: Trx, account: string, setup: AuthenticatorSetup, step: number): Promise<void> {
      const row = { sealed_secret: sealer.seal(setup.secret), created: clock.now(), last_step: step, setup: setup.uuid };
      await trx
        .insertInto('authenticators')
        .values({ account, ...row })
        .onConflict((oc) => oc.column('account').doUpdateSet(row))
        .execute();
    },

    /** The app that was set up with this, which no app that replaced it was. */
    find: (trx: Trx, account: string, setup: string) =>
      trx.selectFrom('authenticators').select('created').where('account', '=', account).where('setup', '=', setup).executeTakeFirst(),

    /** False if there is none. */
    async remove(trx: Trx, account: string): Promise<boolean> {
      const { numDeletedRows } = await trx.deleteFrom('authenticators').where('account', '=', account).executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
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
      return numUpdatedRows === 1n;
    },
  };
}
