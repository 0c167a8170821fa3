import { second } from '@porchlight/contract/time.ts';
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
  request_id: string | null;
}

/** A lease this long without renewal means a dead worker, and another one may claim the job. */
const lease = 30 * second;
const renewEvery = lease / 3;

/** Leases due jobs of a lane, the oldest first. `full`: domains whose jobs must wait. */
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
    .returning(['id', 'kind', 'lane', 'unique_key', 'payload', 'attempts', 'created', 'domain', 'failing_since', 'request_id'])
    .execute();
}

/** The lanes with a due job. One statement, which reads one index entry of each lane however many jobs wait. */
export async function dueLanes(db: Db, clock: Clock, lanes: LaneName[]): Promise<LaneName[]> {
  const { rows } = await sql<{ name: LaneName }>`
    select name from unnest(${lanes}::text[]) as name
    where exists (select from jobs where lane = name and done_at is null and failed_at is null and run_at <= ${clock.now()})
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** Renews the lease of a running job. */
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
    /** Returns a function that stops the renewal. */
    renew(id: string): () => void {
      const timer = setInterval(() => void renewed(id), renewEvery);
      return () => clearInterval(timer);
    },
  };
}
