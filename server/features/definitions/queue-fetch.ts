import type { Db } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';

/** Queues a fetch of all lists, once for all servers with the same reason and time. */
export const queueFetch = (enqueue: Enqueue, db: Db, time: Date, reason: string): Promise<boolean> =>
  enqueue(db, 'feed_day', `feed:${reason}:${time.toISOString()}`, { day: time.toISOString() }, time);
