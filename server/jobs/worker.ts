import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { second } from '@porchlight/contract/time.ts';
import type { Listener } from '../db/listen.ts';
import type { Db } from '../db/open.ts';
import { after, type Clock } from '../lib/clock.ts';
import { framesOf } from '../lib/loggable-error.ts';
import { withRequest } from '../lib/request-context.ts';
import { openCarriers } from './carriers.ts';
import { type Claimed, claimIn, dueLanes, leases } from './claim.ts';
import { type Outcome, reviveJobs, type Settled } from './dead-letters.ts';
import type { JobKinds } from './kinds.ts';
import { type Lane, openLane } from './lane.ts';
import { lanesWith, slow_after_ms, type Urgency, urgencyOf } from './lanes.ts';
import { Unsent } from './unsent.ts';

/** A job that can never succeed. `why`: one word, which the dashboard explains. */
export class PermanentJobError extends Error {
  readonly why: string;

  constructor(message: string, why = 'refused') {
    super(message);
    this.why = why;
  }
}

/** A job that may succeed later, but not before `wait_ms`, as the other side has asked. The message must not contain personal data. */
export class RetryJobError extends Error {
  readonly wait_ms: number;

  constructor(message: string, wait_ms: number) {
    super(message);
    this.wait_ms = wait_ms;
  }
}

export interface JobFacts {
  urgency: Urgency;
}

export type JobHandlers = { [K in keyof JobKinds]: (payload: JobKinds[K], id: string, facts: JobFacts) => Promise<void> };

/** A job whose result has just been stored. `time`: when it ended, before its result was stored. */
export interface SettledJob {
  kind: string;
  lane: string;
  unique_key: string;
  state: Outcome['state'];
  created: Date;
  time: Date;
}

export interface Worker {
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
  /** Called once for each attempt whose result was stored. */
  observe?: (job: SettledJob) => void;
  urgent_at_once?: number;
}

/** A day in total; after the last wait and attempt the job is a dead letter. */
const backOff = [5, 30, 120, 600, 1800, 7200, 21_600, 57_600].map((s) => s * second);
const poll = 5 * second;
/** Waits in milliseconds, half a minute in total: enough for a restart of the database. */
const storeRetriesMs = [50, 250, 1_000, 3_000, 10_000, 15_000];

/** For the log. Never an error's message: those of databases and mail servers contain addresses and names. */
function reasonsOf(err: unknown): object {
  if (err instanceof Unsent) return { reason: err.message, about: err.about, ...err.facts };
  if (!(err instanceof Error)) return { error: typeof err };
  const { code } = err as { code?: unknown };
  const ownReason = ['PermanentJobError', 'RetryJobError'].includes(err.constructor.name) ? { reason: err.message } : {};
  return { error: err.constructor.name, ...(typeof code === 'string' ? { code } : {}), ...ownReason, at: framesOf(err)[0] };
}

/** NOTIFY wakes the worker, and polling finds the other jobs. */
export function worker({
  db,
  clock,
  listener,
  handlers,
  log,
  settled,
  observe,
  urgent_at_once = serverLimits.urgent_at_once,
}: WorkerDeps): Worker {
  const lease = leases(db, clock, (err) => log.error({ err }, 'a lease could not be renewed'));
  const carriers = openCarriers({ db, clock, log, wake: () => wake(), passTurnOn: (lane) => passTurnOn(lane) });

  /** Dead letters that are being stored, by the job's id. */
  const storingDead = new Map<string, Promise<void>>();
  const run = async (job: Claimed) => {
    const handler = handlers[job.kind as keyof JobKinds] as JobHandlers['mail'] | undefined;
    const stop = lease.renew(job.id);
    const sending = carriers.of(job.lane).begin('to' in job.payload ? String(job.payload.to) : null);
    try {
      // A newer server on the same database queued this job, and will run it.
      if (!handler) return await failed(job, new Error(`no handler for ${job.kind}`), 'soon');
      const err = await handler(job.payload as JobKinds['mail'], job.id, { urgency: urgencyOf(job.lane) }).then(
        () => null,
        (reason: unknown) => reason ?? new Error('it failed'),
      );
      if (err === null) {
        sending.accepted();
        await succeeded(job);
      } else if (err instanceof Unsent) {
        const { verdict, givenUp } = sending.failed(err, job.id, job.failing_since);
        const storing = failed(job, err, verdict).finally(() => storingDead.delete(job.id));
        if (verdict === 'final') storingDead.set(job.id, storing);
        await storing;
        // Only stored dead letters can be queued again.
        await Promise.allSettled(givenUp.flatMap((id) => storingDead.get(id) ?? []));
        if (givenUp.length) await reviveJobs(db, clock, givenUp, settled, after(clock.now(), serverLimits.carrier_retry_first));
      } else await failed(job, err, err instanceof PermanentJobError ? 'final' : 'back_off');
    } finally {
      stop();
    }
  };
  /** Retries only the storing of the result: an accepted message must not be sent again. */
  const succeeded = async (job: Claimed) => {
    // The payload contains names and messages of people, and the domain of a text is its number, so both are deleted as soon as possible.
    const time = clock.now();
    const doneState = { done_at: time, payload: '{}', domain: null, last_error: null, why: null };
    for (const waitMs of [...storeRetriesMs, null]) {
      try {
        await settle(job, doneState, { state: 'done', attempts: job.attempts, why: null }, time);
        return;
      } catch (err) {
        if (waitMs === null) throw err;
        log.error({ job: job.id, kind: job.kind, err }, 'a job is done, and that could not be written down yet');
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  };
  const settle = async (job: Claimed, values: object, outcome: Outcome, time: Date) => {
    await (settled?.(db, job.unique_key, outcome) ?? db).updateTable('jobs').set(values).where('id', '=', job.id).execute();
    const { kind, lane, unique_key, created } = job;
    log.info?.({ job: job.id, kind, lane, state: outcome.state, attempts: outcome.attempts }, 'job');
    try {
      observe?.({ kind, lane, unique_key, created, state: outcome.state, time });
    } catch (err) {
      // The result is stored, so the job must not be run again.
      log.error({ err }, 'the result of a job could not be counted');
    }
  };

  const failed = async (job: Claimed, err: unknown, verdict: 'final' | 'back_off' | 'soon' | 'away') => {
    const now = clock.now();
    const uncounted = verdict === 'soon' || verdict === 'away';
    const attempts = uncounted ? job.attempts - 1 : job.attempts;
    const tooOld = uncounted && now.getTime() - job.created.getTime() > serverLimits.dead_letter_life;
    const wait = verdict === 'final' || tooOld ? undefined : uncounted ? waitOf(verdict, err, job, now) : backOffOf(err, attempts);
    log.error({ job: job.id, kind: job.kind, lane: job.lane, attempts, dead: wait === undefined, ...reasonsOf(err) }, 'a job failed');
    const last_error = (err instanceof Error ? err.message : String(err)).slice(0, 500);
    const failing_since = job.failing_since ?? (err instanceof Unsent && err.about !== 'server' ? now : null);
    if (wait !== undefined) {
      const values = { run_at: retryTime(job, now, wait), attempts, last_error, failing_since };
      await settle(job, values, { state: 'again', attempts, why: uncounted ? 'ours' : null }, now);
      return;
    }
    const isFinal = verdict === 'final' && (err instanceof PermanentJobError || err instanceof Unsent);
    const why = isFinal ? err.why : 'gave_up';
    // The content stays for a manual retry; that of an expired code is useless.
    const wiped = 'until' in job.payload ? { payload: '{}', domain: null } : {};
    await settle(job, { failed_at: now, last_error, failing_since, why, ...wiped }, { state: 'dead', attempts, why }, now);
  };
  // A lane that a job woke goes on within that job.
  const logBroken = (err: unknown) => withRequest(null, () => log.error({ err }, 'the job queue could not be read or written'));

  const plans = lanesWith(urgent_at_once);
  const lanes: Lane[] = plans.map((plan) =>
    openLane({
      ...plan,
      slow_after_ms,
      turn: () => carriers.of(plan.name).turn(plan.name),
      slowDomains: carriers.of(plan.name).slowDomains,
      claim: (max, running, full) => claimIn(db, clock, plan.name, { max, running, full }),
      run: (job) => withRequest(job.request_id, () => run(job)),
      broken: logBroken,
    }),
  );
  let turnsPassedOn = 0;
  /** A lane without jobs to send passes its probe on to the next lane of the carrier. */
  const passTurnOn = (lane: string) => {
    turnsPassedOn += 1;
    const laneIndex = plans.findIndex(({ name }) => name === lane);
    plans.forEach((plan, n) => {
      if (n > laneIndex && plan.carrier === plans[laneIndex]?.carrier) lanes[n]?.wake();
    });
  };
  const progress = () => lanes.reduce((sum, lane) => sum + lane.progress(), turnsPassedOn);
  const names = plans.map(({ name }) => name);
  const wakeDue = async () => {
    for (const name of await dueLanes(db, clock, names)) lanes[names.indexOf(name)]?.wake();
  };
  let reading: Promise<void> | null = null;
  let wokenMeanwhile = false;
  let closed = false;
  /** Without a lane of that name, all lanes with a due job are woken. */
  const wake = (lane = '') => {
    const index = plans.findIndex(({ name }) => name === lane);
    if (index >= 0) return lanes[index]?.wake();
    wokenMeanwhile = true;
    if (!closed) reading ??= wakeUntilQuiet();
  };
  const wakeUntilQuiet = async () => {
    while (wokenMeanwhile && !closed) {
      wokenMeanwhile = false;
      await wakeDue().catch(logBroken);
    }
    reading = null;
  };
  listener.on('jobs', wake);
  const timer = setInterval(wake, poll);
  wake();
  return {
    async idle() {
      // A job of one lane may queue a job for another lane, so repeat until no job begins or ends.
      for (let before = -1; before !== progress(); ) {
        before = progress();
        await wakeDue().catch(logBroken);
        await Promise.all(lanes.map((lane) => lane.settled()));
      }
    },
    async close() {
      closed = true;
      clearInterval(timer);
      carriers.close();
      await reading;
      await Promise.all(lanes.map((lane) => lane.close()));
      await carriers.flush();
    },
  };
}

/** The worker of a server that leaves the jobs to others (`ROLE`). */
export const noWorker = (_deps: Parameters<typeof worker>[0]): Worker => ({ async idle() {}, async close() {} });

/** Undefined after the last attempt. */
function backOffOf(err: unknown, attempts: number): number | undefined {
  const wait = backOff[attempts - 1];
  return wait !== undefined && err instanceof RetryJobError ? Math.max(wait, err.wait_ms) : wait;
}

/** A message that will be useless before its retry fails then, and not later. */
function retryTime({ payload }: Claimed, now: Date, wait: number): Date {
  const retry = after(now, wait);
  const until = 'until' in payload ? new Date(String(payload.until)) : retry;
  return until > now && until < retry ? until : retry;
}

/**
 * After accepting another email the mail server is retried soon. If it reports every address as unknown, non-urgent mail is retried less
 * and less often.
 */
function waitOf(verdict: 'soon' | 'away', err: unknown, { lane, failing_since }: Claimed, now: Date): number {
  if (verdict === 'away') return 0;
  if (err instanceof Unsent && err.about === 'server') return serverLimits.carrier_probe;
  const { carrier_retry_first, carrier_retry_max } = serverLimits;
  if (urgencyOf(lane) === 'urgent') return carrier_retry_first;
  const failingMs = failing_since ? now.getTime() - failing_since.getTime() : 0;
  return Math.min(Math.max(failingMs / 4, carrier_retry_first), carrier_retry_max);
}
