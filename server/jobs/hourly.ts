import { day, hour } from '@porchlight/contract/time.ts';
import type { Db, Trx } from '../db/open.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { Enqueue, ForgetJobs } from './queue.ts';
import type { JobHandlers } from './worker.ts';

export interface HourlyDeps {
  db: Db;
  clock: Clock;
  enqueue: Enqueue;
  forgetJobs: ForgetJobs;
  /** Deletes what is old enough, for some seconds at most. Whether nothing is left. */
  deleteOld(): Promise<{ finished: boolean }>;
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
  deleteOld,
  deleteOldOutages,
  noteUptime,
  notifyOutages,
  queueWeeklies,
  queueDeletions,
}: HourlyDeps) {
  const queueNext = async () => {
    const nextHour = new Date((Math.floor(clock.now().getTime() / hour) + 1) * hour);
    await enqueue(db, 'hourly', `hourly:${nextHour.toISOString()}`, { hour: nextHour.toISOString() }, nextHour);
  };

  const queueRetention = (ofHour: string, part: number) => enqueue(db, 'retention', `retention:${ofHour}:${part}`, { hour: ofHour, part });

  const handlers: Pick<JobHandlers, 'hourly' | 'retention'> = {
    hourly: async ({ hour: ofHour }) => {
      // Queued first, so that a failing job does not end the series.
      await queueNext();
      await forgetJobs('hourly', after(clock.now(), -2 * day));
      await forgetJobs('stopped_check', after(clock.now(), -2 * day));
      await forgetJobs('weekly', after(clock.now(), -14 * day));
      await forgetJobs('activity_group', after(clock.now(), -2 * day));
      await forgetJobs('quiet_alerts', after(clock.now(), -2 * day));
      await forgetJobs('account_deletion', after(clock.now(), -2 * day));
      await deleteOldOutages();
      await db.transaction().execute(noteUptime);
      await notifyOutages();
      await queueWeeklies();
      await queueDeletions();
      await queueRetention(ofHour, 0);
    },
    // A job of its own, because the others of the hour must not wait for it.
    retention: async ({ hour: ofHour, part }) => {
      const { finished } = await deleteOld();
      if (!finished) await queueRetention(ofHour, part + 1);
    },
  };
  return { queueNext, handlers };
}
