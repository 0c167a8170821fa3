import type { AlertSettings } from '@porchlight/contract/alert-settings.ts';
import { lockAccount } from '../db/lock-account.ts';
import type { Db, Trx } from '../db/open.ts';

export type SettingsStore = ReturnType<typeof settingsStore>;

export const defaultSettings: AlertSettings = { notify_after_days: 3, weekly: true, mail: true, sms: true };

export function settingsStore(db: Db) {
  const of = async (account: string, dbOrTrx: Db | Trx = db): Promise<AlertSettings> => {
    const row = await dbOrTrx
      .selectFrom('alert_settings')
      .select(['silence_days as notify_after_days', 'weekly', 'mail', 'sms'])
      .where('account', '=', account)
      .executeTakeFirst();
    return row ?? defaultSettings;
  };
  const set = (trx: Trx, account: string, { notify_after_days, ...others }: AlertSettings) => {
    const row = { silence_days: notify_after_days, ...others };
    return trx
      .insertInto('alert_settings')
      .values({ account, ...row })
      .onConflict((oc) => oc.column('account').doUpdateSet(row))
      .execute();
  };

  return {
    of,
    set,

    async ofLocked(trx: Trx, account: string): Promise<AlertSettings> {
      await lockAccount(trx, account);
      return of(account, trx);
    },

    /** Ends the weekly email, by its unsubscribe button. False where the account is gone. */
    async endWeekly(trx: Trx, account: string): Promise<boolean> {
      const lockedRow = await lockAccount(trx, account);
      if (lockedRow) await set(trx, account, { ...(await of(account, trx)), weekly: false });
      return lockedRow !== undefined;
    },
  };
}
