import { retentionCutoff } from '@porchlight/contract/retention.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './open.ts';
import { deletionRules, type TableRule } from './retention.ts';

/** `rows`: without those that went with them. `finished`: nothing more to delete now, except rows in use. */
interface DeletionResult {
  rows: number;
  finished: boolean;
}

interface Batch {
  count: number;
  /** The time of the newest row of the batch. */
  last: Date | null;
}

interface DeleteOldOptions {
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
  { budget_ms, stopwatch = () => performance.now(), rules = deletionRules }: DeleteOldOptions,
): Promise<DeletionResult> {
  const endsAt = stopwatch() + budget_ms;
  let rows = 0;
  let waiting = (await dueRules(db, rules, now)).map((rule) => ({ rule, from: null as Date | null }));
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

/** The rules by which something is old enough. One statement, because mostly there is nothing. */
async function dueRules(db: Db, rules: TableRule[], now: Date): Promise<TableRule[]> {
  const checks = rules.map((rule, n) => sql`select ${sql.lit(n)} as n where exists (select from ${oldRows(rule, now)})`);
  const { rows } = await sql<{ n: number }>`${sql.join(checks, sql` union all `)}`.execute(db);
  return rows.flatMap(({ n }) => rules[n] ?? []);
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

const timeOf = ({ since }: TableRule) => (typeof since === 'string' ? sql.ref(`t.${since}`) : since);

/** The table, `t`, and the condition of what is old enough. `from`: without what is older. */
function oldRows(rule: TableRule, now: Date, from: Date | null = null): RawBuilder<unknown> {
  const { table, period, where } = rule;
  const time = timeOf(rule);
  const cutoff = period ? retentionCutoff(period, now) : now;
  return sql`${sql.table(table)} as t where ${time} <= ${cutoff} ${from ? sql`and ${time} >= ${from}` : sql``} ${where ? sql`and ${where(cutoff)}` : sql``}`;
}

/**
 * Deletes one batch, the oldest rows first, with their dependents. `from`: rows before it were deleted by earlier batches; without it each
 * batch would read their remains in the index again.
 */
export function batchStatement(rule: TableRule, now: Date, from: Date | null): RawBuilder<Batch> {
  const { table, key, also_read, dependents = [], at_once } = rule;
  const time = timeOf(rule);
  const columns = sql.join([...key, ...also_read].map((column) => sql.ref(`t.${column}`)));
  const isSame = sql.join(
    key.map((column) => sql`t.${sql.ref(column)} = old.${sql.ref(column)}`),
    sql` and `,
  );
  const deletions = dependents.map(
    (one, n) => sql`${sql.ref(`dependents_${n}`)} as (delete from ${sql.table(one.table)} as c using old where ${one.where}),`,
  );
  return sql<Batch>`
    with old as materialized (
      select ${columns}, ${time} as since from ${oldRows(rule, now, from)}
      order by ${time} limit ${sql.lit(at_once)} for update skip locked
    ), ${sql.join(deletions, sql` `)}
    deleted as (delete from ${sql.table(table)} as t using old where ${isSame})
    select count(*)::int as count, max(since) as last from old`;
}
