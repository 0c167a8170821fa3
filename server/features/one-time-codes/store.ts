import { type CodeSubject, oneTimeCodes } from '@porchlight/contract/one-time-codes.ts';
import type { Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type OneTimeCodeStore = ReturnType<typeof oneTimeCodeStore>;

/** Which codes were shown; never a code itself (P10.7). */
export function oneTimeCodeStore(clock: Clock) {
  return {
    /** Locks the device, so that two guardians at once get different numbers. Undefined when the account does not own the device. */
    lockDevice: (trx: Trx, account: string, device: string) =>
      trx
        .selectFrom('devices')
        .select(['uuid', 'name'])
        .where('account', '=', account)
        .where('uuid', '=', device)
        .forUpdate()
        .executeTakeFirst(),

    /** Uses up the lowest free number of a window; null if none is left. The caller has locked the device. */
    async takeNumber(trx: Trx, { device, purpose, program }: CodeSubject, time_window: number, guardian: string): Promise<number | null> {
      const rows = await trx
        .selectFrom('one_time_codes')
        .select('number')
        .where('device', '=', device)
        .where('purpose', '=', purpose)
        .where('program', '=', program)
        .where('time_window', '=', time_window)
        .execute();
      const used = new Set(rows.map((row) => row.number));
      const number = Array.from({ length: oneTimeCodes.per_window }, (_, n) => n).find((n) => !used.has(n));
      if (number === undefined) return null;
      await trx
        .insertInto('one_time_codes')
        .values({ device, purpose, program, time_window, number, guardian, time: clock.now() })
        .execute();
      return number;
    },
  };
}
