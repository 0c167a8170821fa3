import { hour } from '@porchlight/contract/time.ts';
import type { Db } from '../../../db/open.ts';
import { after, type Clock } from '../../../lib/clock.ts';
import { utcText } from '../../../texts/formatting.ts';
import { bad, good } from '../problem-rule.ts';
import type { OperationCheck } from './check.ts';
import { isServiceOlderThan } from './service-age.ts';

/** `limit`: in hours. A service without any backup is reported only in production, where there is something to lose. */
export const backupCheck = (db: Db, clock: Clock, limit: number, production: boolean): OperationCheck => ({
  key: 'backup',
  async read() {
    const made = await newestBackup(db);
    if (made) return isBackupOld(made, limit, clock.now()) ? bad(`the newest is of ${utcText(made)}`) : good;
    const isMissing = production && (await isServiceOlderThan(db, after(clock.now(), -limit * hour)));
    return isMissing ? bad('none was ever made') : good;
  },
});

/** The time of the newest backup that the command `backup` has noted. */
export async function newestBackup(db: Db): Promise<Date | null> {
  return (await db.selectFrom('last_backup').select('made').executeTakeFirst())?.made ?? null;
}

/** `limit`: in hours. */
export const isBackupOld = (made: Date, limit: number, now: Date): boolean => made < after(now, -limit * hour);
