import type { Db } from './db/open.ts';
import { hear } from './features/device-health/uptime.ts';
import type { Enqueue, JobKinds } from './jobs/queue.ts';
import { after, type Clock } from './lib/clock.ts';

const hour = 3_600_000;
const day = 24 * hour;

export interface HourlyParts {
  db: Db;
  clock: Clock;
  enqueue: Enqueue;
  forgetJobs(kind: keyof JobKinds, before: Date): Promise<unknown>;
  /** Deletes what counts no more. */
  forgetEnded(now: Date): Promise<unknown>;
  /** Deletes what is known of outages that counts no more. */
  forgetOutages(): Promise<unknown>;
  tellSilences(): Promise<void>;
  queueWeeklies(): Promise<void>;
}

/** The look at everything once an hour: one job, however many servers there are; it queues the next one. */
export function hourly({ db, clock, enqueue, forgetJobs, forgetEnded, forgetOutages, tellSilences, queueWeeklies }: HourlyParts) {
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
        await forgetEnded(clock.now());
        await forgetOutages();
        await db.transaction().execute((trx) => hear(trx, clock.now()));
        await tellSilences();
        await queueWeeklies();
      },
    },
  };
}
