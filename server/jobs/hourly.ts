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
  /** Deletes what counts no more. */
  deleteExpired(now: Date): Promise<unknown>;
  /** Deletes what is known of outages that counts no more. */
  deleteOldOutages(): Promise<unknown>;
  /** Notes that the server can hear devices now. */
  noteUptime(trx: Trx): Promise<unknown>;
  notifyOutages(): Promise<void>;
  queueWeeklies(): Promise<void>;
}

/** The look at everything once an hour: one job, however many servers there are; it queues the next one. */
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
}: HourlyDeps) {
  const queueNext = async () => {
    const next = new Date((Math.floor(clock.now().getTime() / hour) + 1) * hour);
    await enqueue(db, 'care_hour', `care:hour:${next.toISOString()}`, { hour: next.toISOString() }, next);
  };

  return {
    queueNext,
    handlers: {
      care_hour: async () => {
        // First of all, so that an hour that fails is not the last one.
        await queueNext();
        await forgetJobs('care_hour', after(clock.now(), -2 * day));
        await forgetJobs('stopped_look', after(clock.now(), -2 * day));
        await forgetJobs('weekly', after(clock.now(), -14 * day));
        await forgetJobs('acts_together', after(clock.now(), -2 * day));
        await deleteExpired(clock.now());
        await deleteOldOutages();
        await db.transaction().execute(noteUptime);
        await notifyOutages();
        await queueWeeklies();
      },
    },
  };
}
