import { randomUUID } from 'node:crypto';
import { notify } from '../db/notify.ts';
import type { Db, Trx } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';
import { requestId } from '../lib/request-context.ts';
import type { JobKinds } from './kinds.ts';
import { laneOf, type Urgency } from './lanes.ts';
import { domainOf } from './unsent.ts';

/**
 * Queues a job in the transaction of the row that caused it, so that both are stored or neither (P5.4). False for a `unique_key` that
 * exists: a key of recipient and event sends a message once. `run_at`: default now.
 */
export type Enqueue = <K extends keyof JobKinds>(
  trx: Db | Trx,
  kind: K,
  unique_key: string,
  payload: JobKinds[K],
  run_at?: Date,
  options?: { urgency?: Urgency },
) => Promise<boolean>;

export function enqueuer(clock: Clock): Enqueue {
  return async (trx, kind, unique_key, payload, run_at, { urgency } = {}) => {
    const now = clock.now();
    const lane = laneOf(kind, urgency);
    const domain = 'to' in payload ? domainOf(payload.to) : 'service' in payload ? payload.service : null;
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('jobs')
      .values({
        ...{ id: randomUUID(), kind, unique_key, payload: JSON.stringify(payload), run_at: run_at ?? now, created: now, lane, domain },
        request_id: requestId(),
      })
      .onConflict((oc) => oc.column('unique_key').doNothing())
      .executeTakeFirstOrThrow();
    // Polling finds jobs with a later `run_at`.
    if (!run_at || run_at <= now) await notify(trx, 'jobs', lane);
    return numInsertedOrUpdatedRows === 1n;
  };
}

/** Deletes jobs of a kind that finished before a time, once their keys cannot occur again. */
export type ForgetJobs = (kind: keyof JobKinds, before: Date) => Promise<unknown>;

export const forgetJobs =
  (db: Db): ForgetJobs =>
  (kind, before) =>
    db.deleteFrom('jobs').where('kind', '=', kind).where('done_at', '<', before).execute();
