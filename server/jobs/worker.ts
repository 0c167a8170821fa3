import { sql } from 'kysely';
import type { Listener } from '../db/listen.ts';
import type { Db } from '../db/open.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { JobKinds } from './queue.ts';

/** Thrown by a handler for what will never work, however often it is tried. */
export class Hopeless extends Error {}

export type JobHandlers = { [K in keyof JobKinds]: (payload: JobKinds[K], id: string) => Promise<void> };

export interface Worker {
  /** Ends when no job is due and none is running; for tests and for a graceful stop. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const second = 1000;
/** How long to wait after the first, second … failure; after the last one the job is a dead letter. A day in all. */
const backOff = [5, 30, 120, 600, 1800, 7200, 21_600, 57_600].map((s) => s * second);
/** How long a job stays with a worker that says nothing: then it died, and another one may have the job. A living one renews. */
const lease = 30 * second;
const renewEvery = lease / 3;
const atOnce = 8;
const poll = 5 * second;

interface Claimed {
  id: string;
  kind: string;
  payload: object;
  attempts: number;
}

/** Takes due jobs and runs them, several at a time; wakes on NOTIFY, with a poll as the net. */
export function worker(
  db: Db,
  clock: Clock,
  listener: Listener,
  handlers: Partial<JobHandlers>,
  log: { error(o: object, m: string): void },
): Worker {
  let closed = false;
  let running: Promise<void> | null = null;
  let again = false;

  const drain = async () => {
    do {
      again = false;
      let claimed = await claim(db, clock, atOnce);
      while (claimed.length && !closed) {
        await Promise.all(claimed.map((job) => run(job)));
        claimed = closed ? [] : await claim(db, clock, atOnce);
      }
    } while (again && !closed);
  };
  const wake = () => {
    again = true;
    if (closed || running) return;
    running = drain()
      .catch((err: unknown) => log.error({ err }, 'the job queue could not be read'))
      .finally(() => {
        running = null;
      });
  };
  const run = async (job: Claimed) => {
    const handler = handlers[job.kind as keyof JobKinds] as ((payload: object, id: string) => Promise<void>) | undefined;
    const renewing = setInterval(() => void renew(job.id), renewEvery);
    try {
      if (!handler) throw new Hopeless(`no handler for ${job.kind}`);
      await handler(job.payload, job.id);
      // The payload has names and words of people in it: it goes as soon as it is not needed any more.
      await db.updateTable('jobs').set({ done_at: clock.now(), payload: '{}', last_error: null }).where('id', '=', job.id).execute();
    } catch (err) {
      await failed(job, err);
    } finally {
      clearInterval(renewing);
    }
  };
  const renew = (id: string) =>
    db
      .updateTable('jobs')
      .set({ run_at: after(clock.now(), lease) })
      .where('id', '=', id)
      .where('done_at', 'is', null)
      .execute()
      .catch((err: unknown) => log.error({ err }, 'a lease could not be renewed'));
  const failed = async (job: Claimed, err: unknown) => {
    const wait = err instanceof Hopeless ? undefined : backOff[job.attempts - 1];
    const now = clock.now();
    const last_error = (err instanceof Error ? err.message : String(err)).slice(0, 500);
    log.error({ job: job.id, kind: job.kind, attempts: job.attempts, dead: wait === undefined }, 'a job failed');
    await db
      .updateTable('jobs')
      .set(wait === undefined ? { failed_at: now, payload: '{}', last_error } : { run_at: after(now, wait), last_error })
      .where('id', '=', job.id)
      .execute();
  };

  listener.on('jobs', wake);
  const timer = setInterval(wake, poll);
  wake();
  return {
    async idle() {
      wake();
      while (running) await running;
    },
    async close() {
      closed = true;
      clearInterval(timer);
      while (running) await running;
    },
  };
}

/** Leases due jobs: they come up again by themselves when this process dies. */
async function claim(db: Db, clock: Clock, max: number): Promise<Claimed[]> {
  const now = clock.now();
  return db
    .updateTable('jobs')
    .set({ run_at: after(now, lease), attempts: sql`attempts + 1` })
    .where('id', 'in', (q) =>
      q
        .selectFrom('jobs')
        .select('id')
        .where('done_at', 'is', null)
        .where('failed_at', 'is', null)
        .where('run_at', '<=', now)
        .orderBy('run_at')
        .limit(max)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'kind', 'payload', 'attempts'])
    .execute();
}
