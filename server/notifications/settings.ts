import type { AlertSettings } from '@porchlight/contract/care.ts';
import type { Db, Trx } from '../db/open.ts';

export type SettingsStore = ReturnType<typeof settingsStore>;

/** The settings until the holder chooses. */
export const defaultSettings: AlertSettings = { silence_days: 3, weekly: true, mail: true, sms: true };

/** What a holder wants to hear, and how. */
export function settingsStore(db: Db) {
  const of = async (account: string, on: Db | Trx = db): Promise<AlertSettings> => {
    const row = await on
      .selectFrom('alert_settings')
      .select(['silence_days', 'weekly', 'mail', 'sms'])
      .where('account', '=', account)
      .executeTakeFirst();
    return row ?? defaultSettings;
  };
  const set = (trx: Trx, account: string, settings: AlertSettings) =>
    trx
      .insertInto('alert_settings')
      .values({ account, ...settings })
      .onConflict((oc) => oc.column('account').doUpdateSet(settings))
      .execute();
  /** Of two that change something at once, the second sees what the first did. */
  const lock = (trx: Trx, account: string) =>
    trx.selectFrom('accounts').select('uuid').where('uuid', '=', account).forNoKeyUpdate().executeTakeFirst();

  return {
    of,
    set,

    async ofLocked(trx: Trx, account: string): Promise<AlertSettings> {
      await lock(trx, account);
      return of(account, trx);
    },

    /** Ends the weekly email, from its own button. False where the account is gone. */
    async endWeekly(trx: Trx, account: string): Promise<boolean> {
      const found = await lock(trx, account);
      if (found) await set(trx, account, { ...(await of(account, trx)), weekly: false });
      return found !== undefined;
    },
  };
}
