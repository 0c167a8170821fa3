import { type QueryCreator, sql } from 'kysely';
import type { Listener } from '../db/listen.ts';
import type { Db } from '../db/open.ts';
import type { Tables } from '../db/tables.ts';
import { after, type Clock } from '../lib/clock.ts';
import { type Lane, lanes, openLane } from './lane.ts';
import type { JobKinds } from './queue.ts';

/** Thrown by a handler for what will never work, however often it is tried. `why`: one word for whoever explains it to people. */
export class Hopeless extends Error {
  readonly why: string;

  constructor(message: string, why = 'refused') {
    super(message);
    this.why = why;
  }
}

export type JobHandlers = { [K in keyof JobKinds]: (payload: JobKinds[K], id: string) => Promise<void> };

/** What became of a try: done, to be tried again, or a dead letter. `why`: of `Hopeless`; `gave_up` after the last try; null otherwise. */
export interface Outcome {
  state: 'done' | 'again' | 'dead';
  attempts: number;
  why: string | null;
}

/**
 * Writes down besides what became of a job, in the same statement (`with …`): a second copy of a mail may leave when the process dies between the mail
 * server's yes and ours, so that there must be one round trip in between and no more.
 */
export type Settled = (db: Db, unique_key: string, outcome: Outcome) => QueryCreator<Tables>;

export interface Worker {
  /** Ends when no job is due and none is running; for tests and for a graceful stop. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface WorkerParts {
  db: Db;
  clock: Clock;
  listener: Listener;
  handlers: Partial<JobHandlers>;
  log: { error(o: object, m: string): void };
  settled?: Settled;
}

export interface Claimed {
  id: string;
  kind: string;
  unique_key: string;
  payload: object;
  attempts: number;
}

const second = 1000;
/** How long to wait after the first, second … failure; after the last one the job is a dead letter. A day in all. */
const backOff = [5, 30, 120, 600, 1800, 7200, 21_600, 57_600].map((s) => s * second);
/** How long a job stays with a worker that says nothing: then it died, and another one may have the job. A living one renews. */
const lease = 30 * second;
const renewEvery = lease / 3;
const poll = 5 * second;

/** Takes due jobs and runs them, several at a time in each lane; wakes on NOTIFY, with a poll as the net. */
export function worker({ db, clock, listener, handlers, log, settled }: WorkerParts): Worker {
  const run = async (job: Claimed) => {
    const handler = handlers[job.kind as keyof JobKinds] as ((payload: object, id: string) => Promise<void>) | undefined;
    const renewing = setInterval(() => void renew(job.id), renewEvery);
    try {
      if (!handler) throw new Hopeless(`no handler for ${job.kind}`);
      await handler(job.payload, job.id);
      // The payload has names and words of people in it: it goes as soon as it is not needed any more.
      await settle(job, { done_at: clock.now(), payload: '{}', last_error: null }, { state: 'done', why: null });
    } catch (err) {
      await failed(job, err);
    } finally {
      clearInterval(renewing);
    }
  };
  const settle = (job: Claimed, values: object, outcome: Omit<Outcome, 'attempts'>) =>
    (settled?.(db, job.unique_key, { ...outcome, attempts: job.attempts }) ?? db)
      .updateTable('jobs')
      .set(values)
      .where('id', '=', job.id)
      .execute();
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
    if (wait !== undefined) await settle(job, { run_at: after(now, wait), last_error }, { state: 'again', why: null });
    else {
      const why = err instanceof Hopeless ? err.why : 'gave_up';
      await settle(job, { failed_at: now, payload: '{}', last_error }, { state: 'dead', why });
    }
  };
  const broken = (err: unknown) => log.error({ err }, 'the job queue could not be read or written');

  const all: Lane[] = lanes.map((lane) =>
    openLane({ at_once: lane.at_once, claim: (max, running) => claim(db, clock, max, lane, running), run, broken }),
  );
  const progress = () => all.reduce((sum, lane) => sum + lane.progress(), 0);
  const wake = () => {
    for (const lane of all) lane.wake();
  };
  listener.on('jobs', wake);
  const timer = setInterval(wake, poll);
  wake();
  return {
    async idle() {
      // A job of one lane may queue one for another: only when none has begun or ended anything was there nothing.
      for (let before = -1; before !== progress(); ) {
        before = progress();
        await Promise.all(all.map((lane) => lane.idle()));
      }
    },
    async close() {
      clearInterval(timer);
      await Promise.all(all.map((lane) => lane.close()));
    },
  };
}

/** Leases due jobs: they come up again by themselves when this process dies. */
async function claim(db: Db, clock: Clock, max: number, { kinds, others }: (typeof lanes)[number], running: string[]): Promise<Claimed[]> {
  const now = clock.now();
  return db
    .updateTable('jobs')
    .set({ run_at: after(now, lease), attempts: sql`attempts + 1` })
    .where('id', 'in', (q) =>
      q
        .selectFrom('jobs')
        .select('id')
        .where('kind', others ? 'not in' : 'in', kinds)
        .$if(running.length > 0, (jobs) => jobs.where('id', 'not in', running))
        .where('done_at', 'is', null)
        .where('failed_at', 'is', null)
        .where('run_at', '<=', now)
        .orderBy('run_at')
        .limit(max)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'kind', 'unique_key', 'payload', 'attempts'])
    .execute();
}
