import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { LaneName } from './lanes.ts';

export interface Claimed {
  id: string;
  kind: string;
  lane: string;
  unique_key: string;
  payload: object;
  attempts: number;
  created: Date;
  domain: string | null;
  failing_since: Date | null;
}

const second = 1000;
/** How long a job stays with a worker that says nothing: then it died, and another one may have the job. A living one renews. */
const lease = 30 * second;
const renewEvery = lease / 3;

/** Leases due jobs of a lane, the oldest first: they come up again by themselves when this process dies. `full`: domains whose jobs are to wait. */
export function claimIn(
  db: Db,
  clock: Clock,
  lane: LaneName,
  { max, running, full }: { max: number; running: string[]; full: string[] },
): Promise<Claimed[]> {
  const now = clock.now();
  return db
    .updateTable('jobs')
    .set({ run_at: after(now, lease), attempts: sql`attempts + 1` })
    .where('id', 'in', (q) =>
      q
        .selectFrom('jobs')
        .select('id')
        .where('lane', '=', lane)
        .$if(running.length > 0, (jobs) => jobs.where('id', 'not in', running))
        .$if(full.length > 0, (jobs) => jobs.where((eb) => eb.or([eb('domain', 'is', null), eb('domain', 'not in', full)])))
        .where('done_at', 'is', null)
        .where('failed_at', 'is', null)
        .where('run_at', '<=', now)
        .orderBy('run_at')
        .limit(max)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'kind', 'lane', 'unique_key', 'payload', 'attempts', 'created', 'domain', 'failing_since'])
    .execute();
}

/** Keeps a job for as long as this process works at it. */
export function leases(db: Db, clock: Clock, failed: (err: unknown) => void) {
  const renewed = (id: string) =>
    db
      .updateTable('jobs')
      .set({ run_at: after(clock.now(), lease) })
      .where('id', '=', id)
      .where('done_at', 'is', null)
      .execute()
      .catch(failed);
  return {
    /** Until what it answers is called. */
    renew(id: string): () => void {
      const timer = setInterval(() => void renewed(id), renewEvery);
      return () => clearInterval(timer);
    },
  };
}
