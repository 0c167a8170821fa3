import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { QueryCreator } from 'kysely';
import type { Listener } from '../db/listen.ts';
import type { Db } from '../db/open.ts';
import type { Tables } from '../db/tables.ts';
import { after, type Clock } from '../lib/clock.ts';
import { openCarriers } from './carriers.ts';
import { type Claimed, claimIn, leases } from './claim.ts';
import { reviveJobs } from './dead-letters.ts';
import { type Lane, openLane } from './lane.ts';
import { lanesWith, slow_after_ms, type Urgency, urgencyOf } from './lanes.ts';
import type { JobKinds } from './queue.ts';
import { reasonsOf } from './reasons.ts';
import { Unsent } from './unsent.ts';

/** A handler throws it for a job that can never succeed. `why`: one word, which the dashboard explains. */
export class PermanentJobError extends Error {
  readonly why: string;

  constructor(message: string, why = 'refused') {
    super(message);
    this.why = why;
  }
}

/** What a handler may want to know of its job. */
export interface JobFacts {
  urgency: Urgency;
}

export type JobHandlers = { [K in keyof JobKinds]: (payload: JobKinds[K], id: string, facts: JobFacts) => Promise<void> };

/**
 * What became of a try: done, to be tried again, or a dead letter. `why`: of `PermanentJobError` or `Unsent`; `gave_up` after the last try; `ours` while nobody
 * gets anything, which is no fault of the recipient; null otherwise.
 */
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

export interface WorkerDeps {
  db: Db;
  clock: Clock;
  listener: Listener;
  handlers: Partial<JobHandlers>;
  log: { error(o: object, m: string): void; info?(o: object, m: string): void };
  settled?: Settled;
  /** How many urgent emails, and how many urgent SMS, leave at a time. */
  urgent_at_once?: number;
}

const second = 1000;
/** How long to wait after the first, second … failure that is about this job; after the last one it is a dead letter. A day in all. */
const backOff = [5, 30, 120, 600, 1800, 7200, 21_600, 57_600].map((s) => s * second);
const poll = 5 * second;
/** How long to wait, in milliseconds, before it is tried again to write down that a job is done: while the database starts again, half a minute in all. */
const write_again = [50, 250, 1_000, 3_000, 10_000, 15_000];

/** Takes due jobs and runs them, several at a time in each lane; wakes on NOTIFY, with a poll as the net. */
export function worker({ db, clock, listener, handlers, log, settled, urgent_at_once = serverLimits.urgent_at_once }: WorkerDeps): Worker {
  const lease = leases(db, clock, (err) => log.error({ err }, 'a lease could not be renewed'));
  const carriers = openCarriers({ db, clock, log, wake: () => wake(), handOn: (lane) => handOn(lane) });

  /** By job: dead letters that are being written down. */
  const burying = new Map<string, Promise<void>>();
  const run = async (job: Claimed) => {
    const handler = handlers[job.kind as keyof JobKinds] as JobHandlers['mail'] | undefined;
    const stop = lease.renew(job.id);
    const sending = carriers.of(job.lane).begin('to' in job.payload ? String(job.payload.to) : null);
    try {
      // A newer server beside this one queued it, and does it.
      if (!handler) return await failed(job, new Error(`no handler for ${job.kind}`), 'soon');
      const err = await handler(job.payload as JobKinds['mail'], job.id, { urgency: urgencyOf(job.lane) }).then(
        () => null,
        (reason: unknown) => reason ?? new Error('it failed'),
      );
      if (err === null) {
        sending.taken();
        await succeeded(job);
      } else if (err instanceof Unsent) {
        const { verdict, buried } = sending.failed(err, job.id, job.failing_since);
        const written = failed(job, err, verdict).finally(() => burying.delete(job.id));
        if (verdict === 'final') burying.set(job.id, written);
        await written;
        // Only what is written down as dead can be revived.
        await Promise.allSettled(buried.flatMap((id) => burying.get(id) ?? []));
        if (buried.length) await reviveJobs(db, clock, buried, settled, after(clock.now(), serverLimits.carrier_soon));
      } else await failed(job, err, err instanceof PermanentJobError ? 'final' : 'back_off');
    } finally {
      stop();
    }
  };
  /** What was taken must not leave again, so only the writing is tried again. Where that does not help, the lease ends some time later. */
  const succeeded = async (job: Claimed) => {
    // The payload has names and words of people in it: it goes as soon as it is not needed any more.
    const done = { done_at: clock.now(), payload: '{}', last_error: null, why: null };
    for (const wait of [...write_again, null]) {
      try {
        await settle(job, done, { state: 'done', attempts: job.attempts, why: null });
        return;
      } catch (err) {
        if (wait === null) throw err;
        log.error({ job: job.id, kind: job.kind, err }, 'a job is done, and that could not be written down yet');
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  };
  const settle = (job: Claimed, values: object, outcome: Outcome) =>
    (settled?.(db, job.unique_key, outcome) ?? db).updateTable('jobs').set(values).where('id', '=', job.id).execute();

  const failed = async (job: Claimed, err: unknown, verdict: 'final' | 'back_off' | 'soon' | 'away') => {
    const now = clock.now();
    const uncounted = verdict === 'soon' || verdict === 'away';
    const attempts = uncounted ? job.attempts - 1 : job.attempts;
    const tooOld = uncounted && now.getTime() - job.created.getTime() > serverLimits.dead_letter_life;
    const wait = verdict === 'final' || tooOld ? undefined : uncounted ? waitOf(verdict, err, job, now) : backOff[attempts - 1];
    log.error({ job: job.id, kind: job.kind, lane: job.lane, attempts, dead: wait === undefined, ...reasonsOf(err) }, 'a job failed');
    const last_error = (err instanceof Error ? err.message : String(err)).slice(0, 500);
    const failing_since = job.failing_since ?? (err instanceof Unsent && err.about !== 'server' ? now : null);
    if (wait !== undefined) {
      const values = { run_at: after(now, wait), attempts, last_error, failing_since };
      await settle(job, values, { state: 'again', attempts, why: uncounted ? 'ours' : null });
      return;
    }
    const final = verdict === 'final' && (err instanceof PermanentJobError || err instanceof Unsent);
    const why = final ? err.why : 'gave_up';
    // Its words are kept for as long as somebody may send it again; those of a code that is over are of no use.
    const wiped = 'until' in job.payload ? { payload: '{}' } : {};
    await settle(job, { failed_at: now, last_error, failing_since, why, ...wiped }, { state: 'dead', attempts, why });
  };
  const broken = (err: unknown) => log.error({ err }, 'the job queue could not be read or written');

  const plans = lanesWith(urgent_at_once);
  const all: Lane[] = plans.map((plan) =>
    openLane({
      ...plan,
      slow_after_ms,
      turn: () => carriers.of(plan.name).turn(plan.name),
      isSlow: carriers.of(plan.name).isSlow,
      claim: (max, running, full) => claimIn(db, clock, plan.name, { max, running, full }),
      run,
      broken,
    }),
  );
  let handed = 0;
  /** A probe that found nothing to send: the next lane of the same carrier may have something. */
  const handOn = (lane: string) => {
    handed += 1;
    const at = plans.findIndex(({ name }) => name === lane);
    plans.forEach((plan, n) => {
      if (n > at && plan.carrier === plans[at]?.carrier) all[n]?.wake();
    });
  };
  const progress = () => all.reduce((sum, lane) => sum + lane.progress(), handed);
  /** `lane`: all of them when there is no such lane. */
  const wake = (lane = '') => {
    const at = plans.findIndex(({ name }) => name === lane);
    for (const one of at < 0 ? all : all.slice(at, at + 1)) one.wake();
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
      carriers.close();
      await Promise.all(all.map((lane) => lane.close()));
      await carriers.written();
    },
  };
}

/**
 * A mail server that took somebody else's just now is there again at once. One that says of everybody that there is no such address is asked less and less
 * often for what is not urgent, however much waits.
 */
function waitOf(verdict: 'soon' | 'away', err: unknown, { lane, failing_since }: Claimed, now: Date): number {
  if (verdict === 'away') return 0;
  if (err instanceof Unsent && err.about === 'server') return serverLimits.carrier_probe;
  const { carrier_soon, carrier_seldom } = serverLimits;
  if (urgencyOf(lane) === 'urgent') return carrier_soon;
  const failing = failing_since ? now.getTime() - failing_since.getTime() : 0;
  return Math.min(Math.max(failing / 4, carrier_soon), carrier_seldom);
}
