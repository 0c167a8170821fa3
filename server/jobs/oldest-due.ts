import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';
import { type LaneName, lanesWith } from './lanes.ts';

/**
 * The lanes with a due job, and since when the oldest one is due. A running job is not due: its lease moves `run_at`. One statement, which
 * reads one index entry of each lane however many jobs wait.
 */
export async function oldestDue(db: Db, clock: Clock): Promise<{ lane: LaneName; due: Date }[]> {
  const lanes = lanesWith(1).map(({ name }) => name);
  const { rows } = await sql<{ lane: LaneName; due: Date }>`select lanes.lane, due from unnest(${lanes}::text[]) as lanes (lane)
    cross join lateral (
      select run_at as due from jobs
      where jobs.lane = lanes.lane and done_at is null and failed_at is null and run_at <= ${clock.now()}
      order by run_at limit 1
    ) as oldest`.execute(db);
  return rows;
}
