import type { AlertSettings } from '@porchlight/contract/care.ts';
import type { Db, Trx } from '../../db/open.ts';

export type SettingsStore = ReturnType<typeof settingsStore>;

/** Until somebody chooses otherwise. */
export const unchosen: AlertSettings = { silence_days: 3, weekly: true, mail: true, sms: true };

/** What a holder wants to hear, and how. */
export function settingsStore(db: Db) {
  return {
    async of(account: string, on: Db | Trx = db): Promise<AlertSettings> {
      const row = await on
        .selectFrom('alert_settings')
        .select(['silence_days', 'weekly', 'mail', 'sms'])
        .where('account', '=', account)
        .executeTakeFirst();
      return row ?? unchosen;
    },

    /** The account is locked: of two that switch off one way each, the second sees what the first did. */
    async ofLocked(trx: Trx, account: string): Promise<AlertSettings> {
      await trx.selectFrom('accounts').select('uuid').where('uuid', '=', account).forNoKeyUpdate().execute();
      return this.of(account, trx);
    },

    set: (trx: Trx, account: string, settings: AlertSettings) =>
      trx
        .insertInto('alert_settings')
        .values({ account, ...settings })
        .onConflict((oc) => oc.column('account').doUpdateSet(settings))
        .execute(),
  };
}
