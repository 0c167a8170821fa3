import { createHash } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { SettingsStore } from '../../notifications/settings.ts';
import { weeklyStore } from './store.ts';
import { sinceNine, sundayAt } from './sunday.ts';

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

/** The weekly report, sent on Sunday morning local time. */
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
          const sendTime = after(now, delayMs(account) - sinceNine(now, zone));
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
          if (!(await settings.of(account, trx)).weekly) return;
          const week = await store.facts(trx, account, after(now, -7 * day));
          if (!week.devices.length) return;
          await notify(trx, account, { kind: 'weekly', facts: { account, sunday, week, now } });
        }),
    },
  };
}
