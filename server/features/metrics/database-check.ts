import { sql } from 'kysely';
import { NoConnection } from '../../db/connection-queue.ts';
import type { Db } from '../../db/open.ts';
import type { TrafficControl } from '../../db/traffic.ts';
import { within } from '../../lib/within.ts';

/** In milliseconds: longer than the wait for a connection, which ends with `NoConnection` while all are in use. */
const answer_within = 700;
/** In milliseconds: a connection that was cut off without notice may never answer, and must not stop the checks. */
const give_up_after = 10_000;

const [yes, no] = [() => true, () => false];

/**
 * Whether the database answers. It uses the connections of urgent calls, because those of jobs may all be busy with a long statement. Callers
 * share a statement that is running, so a database that never answers has one at a time.
 */
export function databaseCheck(db: Db, traffic: Pick<TrafficControl, 'serve'>): () => Promise<boolean> {
  let isUp = true;
  let running: Promise<void> | null = null;
  const check = async () => {
    try {
      const statement = traffic.serve({ kind: 'urgent', admitted: false }, () => sql`select 1`.execute(db));
      isUp = await within(statement.then(yes), give_up_after, no);
    } catch (err) {
      // All connections are in use, which says nothing about the database.
      if (!(err instanceof NoConnection)) isUp = false;
    }
  };
  return async () => {
    running ??= check().finally(() => {
      running = null;
    });
    if (!(await within(running.then(yes), answer_within, no))) isUp = false;
    return isUp;
  };
}
