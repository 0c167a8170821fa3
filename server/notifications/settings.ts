import type { AlertSettings } from '@porchlight/contract/alert-settings.ts';
import { accountChoices } from '../db/account-choices.ts';
import type { Db, Trx } from '../db/open.ts';

export type SettingsStore = ReturnType<typeof settingsStore>;

export const defaultSettings: AlertSettings = { notify_after_days: 3, weekly: true, every_week: false, mail: true, sms: true };

export function settingsStore(db: Db) {
  const choices = accountChoices(db, 'alert_settings', defaultSettings);
  return {
    ...choices,

    /** Ends the weekly email, by its unsubscribe button. False where the account is gone. */
    async endWeekly(trx: Trx, account: string): Promise<boolean> {
      const settings = await choices.ofLocked(trx, account);
      const row = await trx.selectFrom('accounts').select('uuid').where('uuid', '=', account).executeTakeFirst();
      if (row) await choices.set(trx, account, { ...settings, weekly: false });
      return row !== undefined;
    },
  };
}
