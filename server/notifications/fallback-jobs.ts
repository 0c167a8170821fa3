import { type QueryCreator, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** The delivery that a statement has just changed. */
export type WithFailed = Tables & { stored: Pick<Tables['deliveries'], 'key' | 'channel' | 'state'> };

const fallbackSuffix = ':instead';

export const fallbackKey = (key: string): string => `${key}${fallbackSuffix}`;

/** A message that was sent instead of another one. When it fails too, nothing is sent instead. */
export const isFallback = (key: string): boolean => key.endsWith(fallbackSuffix);

/**
 * Queues `fallback` in the statement that stores a failure as `stored`, so that a crash cannot come between the two. A delivery that fails
 * again, or is reported twice, queues nothing again. The RETURNING clause wakes the worker at the commit.
 */
export function queueFallback(query: QueryCreator<WithFailed>, now: Date) {
  return query
    .insertInto('jobs')
    .columns(['id', 'kind', 'unique_key', 'payload', 'run_at', 'created', 'lane', 'request_id'])
    .expression((eb) => failedJobs(eb.selectFrom('stored'), now))
    .onConflict((oc) => oc.column('unique_key').doNothing())
    .returning(sql`pg_notify('jobs', lane)`.as('woken'));
}

/** The urgency is that of the job that failed. */
const failedJobs = (stored: SelectQueryBuilder<WithFailed, 'stored', object>, now: Date) =>
  stored
    .innerJoin('jobs', 'jobs.unique_key', 'stored.key')
    .where('stored.state', '=', 'failed')
    .where('stored.channel', 'in', ['mail', 'sms'])
    .select([
      sql<string>`gen_random_uuid()`.as('id'),
      sql<string>`'fallback'`.as('kind'),
      sql<string>`'fallback:' || stored.key`.as('unique_key'),
      sql<object>`jsonb_build_object('delivery', stored.key)`.as('payload'),
      sql<Date>`${now}::timestamptz`.as('run_at'),
      sql<Date>`${now}::timestamptz`.as('created'),
      sql<string>`regexp_replace(jobs.lane, '^[a-z]+', 'work')`.as('lane'),
      'jobs.request_id as request_id',
    ]);
