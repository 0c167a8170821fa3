import { sql } from 'kysely';
import type { Db, Trx } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';

/** Separate daily budgets: codes that users request, and notifications, cannot use up each other (P11.5). */
export type BudgetName = 'codes' | 'alerts';

interface BudgetDeps {
  db: Db;
  clock: Clock;
  most: Record<BudgetName, number>;
  log: { warn(o: object, m: string): void };
  /** Queues an email to the operator, once for `key`. */
  notifyOperator(trx: Trx, key: string, state: BudgetState): Promise<unknown>;
}

export interface BudgetState {
  name: BudgetName;
  spent: number;
  most: number;
}

export type Budgets = ReturnType<typeof budgets>;

/** Percentages at which the operator is notified, each once a day. */
const thresholds = [80, 100];

/**
 * Daily (UTC), shared by all servers. One short statement on one row, outside of any transaction, so that no lock lasts longer under load.
 */
export function budgets({ db, clock, most, log, notifyOperator }: BudgetDeps) {
  const today = () => clock.now().toISOString().slice(0, 10);

  const notifyOfUsage = async (name: BudgetName, day: string, spent: number) => {
    const threshold = thresholds.findLast((percent) => spent * 100 >= most[name] * percent);
    if (threshold === undefined) return;
    const state = { name, spent, most: most[name] };
    const notified = await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('budgets')
        .set({ notified_percent: threshold })
        .where('name', '=', name)
        .where('day', '=', day)
        .where('notified_percent', '<', threshold)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      await notifyOperator(trx, `budget:${name}:${day}:${threshold}`, state);
      return true;
    });
    if (notified)
      log.warn(state, threshold === 100 ? `the budget of texts for today is used up` : `${threshold} % of the texts for today are used up`);
  };

  return {
    /** False when the budget is used up. Notifies the operator at 80 % and at 100 %. */
    async spend(name: BudgetName): Promise<boolean> {
      const day = today();
      if (most[name] < 1) return false;
      const row = await db
        .insertInto('budgets')
        .values({ name, day, spent: 1 })
        .onConflict((oc) =>
          oc.columns(['name', 'day']).doUpdateSet({ spent: sql<number>`budgets.spent + 1` }).where('budgets.spent', '<', most[name]),
        )
        .returning('spent')
        .executeTakeFirst();
      if (!row) return false;
      await notifyOfUsage(name, day, row.spent);
      return true;
    },

    giveBack: (name: BudgetName) =>
      db
        .updateTable('budgets')
        .set((eb) => ({ spent: eb('spent', '-', 1) }))
        .where('name', '=', name)
        .where('day', '=', today())
        .where('spent', '>', 0)
        .execute(),

    /** Milliseconds until the next day's budget. */
    renewsIn: (): number => 24 * 3_600_000 - (clock.now().getTime() % (24 * 3_600_000)),
  };
}
