import { createHash } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { SettingsStore } from '../../notifications/settings.ts';
import { happeningsOf } from './quiet.ts';
import { weeklyStore } from './store.ts';
import { isFirstSunday, nineOn, sundayAt } from './sunday.ts';

export interface WeeklyDeps extends Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'notify'> {
  settings: SettingsStore;
}

const pageSize = 500;
/** No weekly email is sent later than this, because it would confuse the reader. */
const maxDelayMs = 2 * day;

/** The account's send time, in milliseconds after nine: always the same, and evenly spread to limit the load on mail servers. */
function delayMs(account: string): number {
  const hash = createHash('sha256').update(account).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * serverLimits.weekly_spread);
}

/** The weekly report, sent on Sunday morning local time. A quiet week has one on the first Sunday of a month alone, or for those who chose it (P15.6). */
export function weeklyMails(deps: WeeklyDeps) {
  const { db, clock, settings, enqueue, notify } = deps;
  const store = weeklyStore(db);

  return {
    /** Queues the weekly report of every account where it is Sunday; the key prevents duplicates. */
    async queueAll(): Promise<void> {
      const now = clock.now();
      let accounts = await store.accountsAfter('00000000-0000-0000-0000-000000000000', pageSize);
      while (accounts.length) {
        for (const { account, info } of accounts) {
          const zone = info?.time_zone ?? 'UTC';
          const sunday = sundayAt(now, zone);
          if (!sunday) continue;
          const sendTime = after(nineOn(sunday, zone), delayMs(account));
          await enqueue(db, 'weekly', `weekly:${account}:${sunday}`, { account, sunday }, sendTime > now ? sendTime : undefined);
        }
        accounts = await store.accountsAfter(accounts.at(-1)?.account ?? '', pageSize);
      }
    },

    handlers: {
      weekly: ({ account, sunday }: { account: string; sunday: string }) =>
        db.transaction().execute(async (trx) => {
          const now = clock.now();
          if (now.getTime() - new Date(sunday).getTime() > maxDelayMs) return;
          const { weekly, every_week, notify_after_days } = await settings.of(account, trx);
          if (!weekly) return;
          const { week, has_eager_guardian } = await store.facts(trx, account, sunday, delayMs(account));
          if (!week.devices.length) return;
          const happenings = happeningsOf(week, now, notify_after_days);
          const is_due = happenings.length > 0 || isFirstSunday(sunday);
          if (!is_due && !every_week && !has_eager_guardian) return;
          await notify(trx, account, {
            kind: 'weekly',
            facts: { account, sunday, week: { ...week, happenings }, is_due, every_week, now },
          });
        }),
    },
  };
}
