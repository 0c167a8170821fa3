import { randomUUID } from 'node:crypto';
import { notify } from '../db/notify.ts';
import type { Db, Trx } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';

/** A mail that is to go out; the job's id becomes its Message-ID. */
export interface MailJob {
  to: string;
  subject: string;
  html: string;
  text: string;
}

/** What can be queued, by kind. */
export interface JobKinds {
  mail: MailJob;
}

/**
 * Puts a job into the same transaction as the row that caused it, so that both are there or neither (P5.4).
 * A second job with the same `unique_key` is no job: what must happen once per person and event names both in it.
 */
export type Enqueue = <K extends keyof JobKinds>(trx: Db | Trx, kind: K, unique_key: string, payload: JobKinds[K]) => Promise<void>;

export function enqueuer(clock: Clock): Enqueue {
  return async (trx, kind, unique_key, payload) => {
    const now = clock.now();
    await trx
      .insertInto('jobs')
      .values({ id: randomUUID(), kind, unique_key, payload: JSON.stringify(payload), run_at: now, created: now })
      .onConflict((oc) => oc.column('unique_key').doNothing())
      .execute();
    await notify(trx, 'jobs');
  };
}
