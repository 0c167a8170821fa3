import type { Db, Trx } from '../../db/open.ts';
import type { Problem } from './problem-rule.ts';

export type ProblemStore = ReturnType<typeof problemStore>;

/** The only writer of `operator_problems`. There are as many rows as problems, so reading all of them is one short statement. */
export function problemStore(db: Db) {
  return {
    async all(): Promise<Map<string, Problem>> {
      const rows = await db.selectFrom('operator_problems').selectAll().execute();
      return new Map(rows.map((row) => [row.key, problemOf(row)]));
    },

    /** The row, locked until `trx` ends, so that of several servers one takes each step. */
    async lock(trx: Trx, key: string): Promise<Problem | undefined> {
      const row = await trx.selectFrom('operator_problems').selectAll().where('key', '=', key).forUpdate().executeTakeFirst();
      return row && problemOf(row);
    },

    /** Makes a row that can be locked. False where another server has made it. */
    async add(trx: Trx, key: string, problem: Problem): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('operator_problems')
        .values({ key, ...columnsOf(problem) })
        .onConflict((oc) => oc.column('key').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    set: (trx: Trx, key: string, problem: Problem) =>
      trx.updateTable('operator_problems').set(columnsOf(problem)).where('key', '=', key).execute(),

    remove: (trx: Db | Trx, key: string) => trx.deleteFrom('operator_problems').where('key', '=', key).execute(),

    /** Whether this problem, of this time, is still one. */
    async isOpen(key: string, since: Date): Promise<boolean> {
      const row = await db.selectFrom('operator_problems').select('since').where('key', '=', key).executeTakeFirst();
      return row?.since.getTime() === since.getTime();
    },
  };
}

interface ProblemRow {
  since: Date;
  notified: Date | null;
  good_since: Date | null;
  facts: string;
}

function problemOf({ since, notified, good_since, facts }: ProblemRow): Problem {
  const { detail, read, reader } = JSON.parse(facts) as { detail: string; read: string; reader: string };
  return { since, notified, good_since, detail, read: new Date(read), reader };
}

const columnsOf = ({ since, notified, good_since, detail, read, reader }: Problem): ProblemRow => ({
  ...{ since, notified, good_since },
  facts: JSON.stringify({ detail, read: read.toISOString(), reader }),
});
