import { createHash } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { SettingsStore } from '../../notifications/settings.ts';
import type { Notify } from '../../ports.ts';
import { weeklyStore } from './store.ts';
import { sinceNine, sundayAt } from './sunday.ts';

export interface WeeklyDeps {
  db: Db;
  clock: Clock;
  settings: SettingsStore;
  enqueue: Enqueue;
  notify: Notify;
}

const page = 500;
const day = 24 * 3_600_000;
/** A mail about last week that comes later than this is only confusing. */
const tooLate = 2 * day;

/**
 * How long after nine the mail of an account goes, in milliseconds: always the same for one account, and all of them spread evenly over the morning, so that no
 * mail server gets a whole country's at once.
 */
function placeInMorning(account: string): number {
  const hash = createHash('sha256').update(account).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * serverLimits.weekly_spread);
}

/** The weekly all-clear, on Sunday morning where the holder is: once per week and person. */
export function weeklyMails(deps: WeeklyDeps) {
  const { db, clock, settings, enqueue, notify } = deps;
  const store = weeklyStore(db);

  return {
    /** Queues the mail of every account where it is Sunday morning, for its own moment of that morning. However often: the key is the account's and the Sunday's. */
    async queueAll(): Promise<void> {
      const now = clock.now();
      let accounts = await store.accountsAfter('00000000-0000-0000-0000-000000000000', page);
      while (accounts.length) {
        for (const { account, info } of accounts) {
          const zone = info?.time_zone ?? 'UTC';
          const sunday = sundayAt(now, zone);
          if (!sunday) continue;
          const at = after(now, placeInMorning(account) - sinceNine(now, zone));
          await enqueue(db, 'weekly', `weekly:${account}:${sunday}`, { account, sunday }, at > now ? at : undefined);
        }
        accounts = await store.accountsAfter(accounts.at(-1)?.account ?? '', page);
      }
    },

    handlers: {
      weekly: ({ account, sunday }: { account: string; sunday: string }) =>
        db.transaction().execute(async (trx) => {
          const now = clock.now();
          if (now.getTime() - new Date(sunday).getTime() > tooLate) return;
          if (!(await settings.of(account, trx)).weekly) return;
          const week = await store.facts(trx, account, after(now, -7 * day));
          if (!week.devices.length) return;
          await notify(trx, account, { kind: 'weekly', facts: { account, sunday, week, now } });
        }),
    },
  };
}
