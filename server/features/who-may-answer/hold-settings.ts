import type { Db, Trx } from '../../db/open.ts';
import type { HoldSettings } from '../../incident-ports.ts';
import type { Clock } from '../../lib/clock.ts';

/** What an account's holds depend on, besides its incidents and guardians (P10). */
export function holdSettingsStore(db: Db, clock: Clock) {
  const none: HoldSettings = { ask_first: false, first_connected: null, guardian_gone: null };
  const of = async (account: string, connection: Db | Trx = db): Promise<HoldSettings> =>
    (await connection
      .selectFrom('hold_settings')
      .select(['ask_first', 'first_connected', 'guardian_gone'])
      .where('account', '=', account)
      .executeTakeFirst()) ?? none;

  return {
    of,
    asksFirst: async (account: string, connection?: Db | Trx): Promise<boolean> => (await of(account, connection)).ask_first,

    setAskFirst: (trx: Trx, account: string, ask_first: boolean) =>
      trx
        .insertInto('hold_settings')
        .values({ account, ask_first })
        .onConflict((oc) => oc.column('account').doUpdateSet({ ask_first }))
        .execute(),

    /** Stores the account's first connection; later ones change nothing. */
    noteConnected: (trx: Trx, account: string) =>
      trx
        .insertInto('hold_settings')
        .values({ account, first_connected: clock.now() })
        .onConflict((oc) =>
          oc.column('account').doUpdateSet({ first_connected: clock.now() }).where('hold_settings.first_connected', 'is', null),
        )
        .execute(),

    noteGuardianGone: (trx: Trx, account: string) =>
      trx
        .insertInto('hold_settings')
        .values({ account, guardian_gone: clock.now() })
        .onConflict((oc) => oc.column('account').doUpdateSet({ guardian_gone: clock.now() }))
        .execute(),
  };
}
