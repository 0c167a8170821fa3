import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { carriersAway } from '../../jobs/carriers-away.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { laneNames } from './job-metrics.ts';

/** Jobs of a lane, and dead letters, are counted up to this number: more of them need the same action. */
const jobs_max = 10_000;
/**
 * Devices of a state are counted up to this number: 20 to 400 ms among a million devices, by how much of the index is cached. Above it,
 * `porchlight_agents_waiting` of all servers is the exact number of connected ones.
 */
const devices_max = 100_000;
/** Rows that an operator makes, of which a normal server has a few. */
const rows_max = 100;
/** In milliseconds, for each statement. */
const statement_timeout = 3_000;

export interface OperationReading {
  /** `oldest`: since when the first job of the lane has been due. */
  due: { lane: string; count: number; oldest: Date | null }[];
  dead: Map<string, number>;
  carriers_away: string[];
  definitions: { version: number; issued: Date } | null;
  /** By the address of the list. */
  lists: { url: string; fetched: Date }[];
  /** When the feed of definitions was last fetched, or had nothing newer. */
  feed: Date | null;
  backup: Date | null;
  problems: string[];
}

export type DeviceState = 'online' | 'offline' | 'not_installed';

/**
 * Reads only, and ends each statement that takes too long. PostgreSQL may expect few rows where there are very many, and would then collect and
 * sort all of them; without bitmaps it reads an index in its order, and stops at the limit.
 */
function inShortStatements<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${String(statement_timeout)}, true), set_config('enable_bitmapscan', 'off', true)`.execute(
        trx,
      );
      return read(trx);
    });
}

/** Reads the state of the whole service. Each statement reads a bounded number of rows, however large the service is. */
export function readOperation(db: Db, clock: Clock): Promise<OperationReading> {
  return inShortStatements(db, async (trx) => {
    const newest = await trx
      .selectFrom('definition_sets')
      .select(['version', 'issued'])
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst();
    const lists = await trx.selectFrom('site_lists').select(['url', 'fetched']).where('fetched', 'is not', null).limit(rows_max).execute();
    const feed = await trx.selectFrom('upstream_feeds').select('fetched').orderBy('tried', 'desc').limit(1).executeTakeFirst();
    const backup = await trx.selectFrom('last_backup').select('made').executeTakeFirst();
    const away = await carriersAway(trx, clock);
    const problems = await trx
      .selectFrom('operator_problems')
      .select('key')
      .where('notified', 'is not', null)
      .where('good_since', 'is', null)
      .orderBy('key')
      .limit(rows_max)
      .execute();
    return {
      due: await dueJobs(trx, clock.now()),
      dead: await deadJobs(trx),
      carriers_away: away.map(({ carrier }) => carrier),
      definitions: newest ?? null,
      lists: lists.flatMap(({ url, fetched }) => (fetched ? [{ url, fetched }] : [])),
      feed: feed?.fetched ?? null,
      backup: backup?.made ?? null,
      problems: problems.map(({ key }) => key),
    };
  });
}

/** Reads the index `jobs_due`, at most `jobs_max` entries of each lane. */
async function dueJobs(trx: Trx, now: Date): Promise<OperationReading['due']> {
  const { rows } = await sql<
    OperationReading['due'][number]
  >`select names.lane, counted.count, counted.oldest from unnest(${laneNames}::text[]) as names (lane)
    cross join lateral (
      select count(*)::int as count, min(run_at) as oldest from (
        select run_at from jobs
        where jobs.lane = names.lane and done_at is null and failed_at is null and run_at <= ${now}
        order by run_at limit ${jobs_max}
      ) as due
    ) as counted
  `.execute(trx);
  return rows;
}

/** Reads the newest dead letters by the index `jobs_dead`. */
async function deadJobs(trx: Trx): Promise<Map<string, number>> {
  const { rows } = await sql<{ lane: string; count: number }>`select lane, count(*)::int as count from (
      select lane from jobs where failed_at is not null order by failed_at desc limit ${jobs_max}
    ) as dead group by lane
  `.execute(trx);
  return new Map(rows.map(({ lane, count }) => [lane, count]));
}

/**
 * Counts by the index `devices_last_seen`, whose entries of one state are next to each other. The time that a refused agent may take to call
 * again is the limit between online and offline.
 */
export function readDevices(db: Db, clock: Clock): Promise<Record<DeviceState, number>> {
  const limit = after(clock.now(), -serverLimits.outage_refused);
  return inShortStatements(db, async (trx) => {
    const count = async (condition: ReturnType<typeof sql>) => {
      const { rows } = await sql<{
        count: number;
      }>`select count(*)::int as count from (select from devices where ${condition} limit ${devices_max}) as counted
      `.execute(trx);
      return rows[0]?.count ?? 0;
    };
    return {
      online: await count(sql`last_seen > ${limit}`),
      offline: await count(sql`last_seen <= ${limit}`),
      not_installed: await count(sql`last_seen is null`),
    };
  });
}
