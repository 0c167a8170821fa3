import type { Db, Trx } from '../db/open.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { Enqueue, ForgetJobs } from './queue.ts';

const hour = 3_600_000;
const day = 24 * hour;

export interface HourlyDeps {
  db: Db;
  clock: Clock;
  enqueue: Enqueue;
  forgetJobs: ForgetJobs;
  deleteExpired(now: Date): Promise<unknown>;
  deleteOldOutages(): Promise<unknown>;
  noteUptime(trx: Trx): Promise<unknown>;
  notifyOutages(): Promise<void>;
  queueWeeklies(): Promise<void>;
  queueDeletions(): Promise<void>;
}

/** Each hourly job queues the next one; there is only one, however many servers run. */
export function hourly({
  db,
  clock,
  enqueue,
  forgetJobs,
  deleteExpired,
  deleteOldOutages,
  noteUptime,
  notifyOutages,
  queueWeeklies,
  queueDeletions,
}: HourlyDeps) {
  const queueNext = async () => {
    const nextHour = new Date((Math.floor(clock.now().getTime() / hour) + 1) * hour);
    await enqueue(db, 'care_hour', `care:hour:${nextHour.toISOString()}`, { hour: nextHour.toISOString() }, nextHour);
  };

  return {
    queueNext,
    handlers: {
      care_hour: async () => {
        // Queued first, so that a failing job does not end the series.
        await queueNext();
        await forgetJobs('care_hour', after(clock.now(), -2 * day));
        await forgetJobs('stopped_look', after(clock.now(), -2 * day));
        await forgetJobs('weekly', after(clock.now(), -14 * day));
        await forgetJobs('acts_together', after(clock.now(), -2 * day));
        await forgetJobs('account_deletion', after(clock.now(), -2 * day));
        await deleteExpired(clock.now());
        await deleteOldOutages();
        await db.transaction().execute(noteUptime);
        await notifyOutages();
        await queueWeeklies();
        await queueDeletions();
      },
    },
  };
}
