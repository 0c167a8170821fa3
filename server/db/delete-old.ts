import { retentionCutoff } from '@porchlight/contract/retention.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './open.ts';
import { deletionRules, type TableRule } from './retention.ts';

/** `rows`: without those that went with them. `finished`: nothing more to delete now, except rows in use. */
export interface DeletionResult {
  rows: number;
  finished: boolean;
}

interface Batch {
  count: number;
  /** Of the newest row of the batch. */
  last: Date | null;
}

interface DeletionOptions {
  /** After this many milliseconds no new batch begins. */
  budget_ms: number;
  /** Milliseconds of any clock that nobody sets. */
  stopwatch?: () => number;
  rules?: TableRule[];
}

/** Shorter than PostgreSQL's deadlock_timeout: a request that waits for a row of the batch goes on before it could fail. */
const lockTimeoutMs = 200;
/** `lock_not_available`, `deadlock_detected`. */
const isInUse = (err: unknown) => ['55P03', '40P01'].includes((err as { code?: string }).code ?? '');

/**
 * Deletes what is old enough in small batches, each in a short transaction of its own, so that a process that dies loses nothing. Rows
 * that others have locked are left for the next time. All tables get their turn, however much one of them has.
 */
export async function deleteOld(
  db: Db,
  now: Date,
  { budget_ms, stopwatch = () => performance.now(), rules = deletionRules }: DeletionOptions,
): Promise<DeletionResult> {
  const endsAt = stopwatch() + budget_ms;
  let rows = 0;
  let waiting = rules.map((rule) => ({ rule, from: null as Date | null }));
  while (waiting.length) {
    const unfinished: typeof waiting = [];
    for (const { rule, from } of waiting) {
      const begin = stopwatch();
      if (begin >= endsAt) return { rows, finished: false };
      const batch = await deleteBatch(db, rule, now, from);
      rows += batch.count;
      if (batch.count < rule.at_once) continue;
      unfinished.push({ rule, from: batch.last });
      // Half of the time the database is free for requests.
      await new Promise((resolve) => setTimeout(resolve, stopwatch() - begin));
    }
    waiting = unfinished;
  }
  return { rows, finished: true };
}

async function deleteBatch(db: Db, rule: TableRule, now: Date, from: Date | null): Promise<Batch> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(trx);
      const { rows } = await batchStatement(rule, now, from).execute(trx);
      return rows[0] ?? { count: 0, last: null };
    });
  } catch (err) {
    if (isInUse(err)) return { count: 0, last: null };
    throw err;
  }
}

/**
 * Deletes one batch, the oldest rows first, with their dependents. `from`: rows before it were deleted by earlier batches; without it each
 * batch would read their remains in the index again.
 */
export function batchStatement(rule: TableRule, now: Date, from: Date | null): RawBuilder<Batch> {
  const { table, key, also_read, period, since, where, dependents = [], at_once } = rule;
  const cutoff = period ? retentionCutoff(period, now) : now;
  const time = typeof since === 'string' ? sql.ref(`t.${since}`) : since;
  const columns = sql.join([...key, ...also_read].map((column) => sql.ref(`t.${column}`)));
  const isSame = sql.join(
    key.map((column) => sql`t.${sql.ref(column)} = old.${sql.ref(column)}`),
    sql` and `,
  );
  return sql<Batch>`
    with old as materialized (
      select ${columns}, ${time} as since from ${sql.table(table)} as t
      where ${time} <= ${cutoff} ${from ? sql`and ${time} >= ${from}` : sql``} ${where ? sql`and ${where(cutoff)}` : sql``}
      order by ${time} limit ${sql.lit(at_once)} for update skip locked
    ), ${sql.join(
      dependents.map(
        (one, n) => sql`${sql.ref(`dependents_${n}`)} as (delete from ${sql.table(one.table)} as c using old where ${one.where}),`,
      ),
      sql` `,
    )}
    deleted as (delete from ${sql.table(table)} as t using old where ${isSame})
    select count(*)::int as count, max(since) as last from old`;
}
