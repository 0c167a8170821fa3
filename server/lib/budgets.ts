import { sql } from 'kysely';
import type { Db, Trx } from '../db/open.ts';
import type { Clock } from './clock.ts';

/** What costs money for each, by the day: codes that people ask for, and news that nobody asked for. Neither can use up the other (P11.5). */
export type BudgetName = 'codes' | 'alerts';

interface BudgetDeps {
  db: Db;
  clock: Clock;
  /** How many texts a day, for the whole service. */
  most: Record<BudgetName, number>;
  log: { warn(o: object, m: string): void };
  /** Queues a mail to the operator, once for `key`. */
  notifyOperator(trx: Trx, key: string, state: BudgetState): Promise<unknown>;
}

export interface BudgetState {
  name: BudgetName;
  spent: number;
  most: number;
}

export type Budgets = ReturnType<typeof budgets>;

/** At how many percent the operator is told, each once a day. */
const marks = [80, 100];

/**
 * Budgets of the whole service for a day in UTC. The counts are in the database: they hold for all servers and survive a restart. One short statement on
 * one row each, outside of any transaction, so that a thousand times the load waits for no lock longer than that.
 */
export function budgets({ db, clock, most, log, notifyOperator }: BudgetDeps) {
  const today = () => clock.now().toISOString().slice(0, 10);

  const tell = async (name: BudgetName, day: string, spent: number) => {
    const mark = marks.findLast((percent) => spent * 100 >= most[name] * percent);
    if (mark === undefined) return;
    const state = { name, spent, most: most[name] };
    const told = await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('budgets')
        .set({ notified_percent: mark })
        .where('name', '=', name)
        .where('day', '=', day)
        .where('notified_percent', '<', mark)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      await notifyOperator(trx, `budget:${name}:${day}:${mark}`, state);
      return true;
    });
    if (told) log.warn(state, mark === 100 ? `the budget of texts for today is used up` : `${mark} % of the texts for today are used up`);
  };

  return {
    /** Takes one of the day, or answers false when none is left. Tells the operator at 80 % and at the end. */
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
      await tell(name, day, row.spent);
      return true;
    },

    /** What was taken was not needed. */
    giveBack: (name: BudgetName) =>
      db
        .updateTable('budgets')
        .set((eb) => ({ spent: eb('spent', '-', 1) }))
        .where('name', '=', name)
        .where('day', '=', today())
        .where('spent', '>', 0)
        .execute(),

    /** Milliseconds until there is a new one. */
    renewsIn: (): number => 24 * 3_600_000 - (clock.now().getTime() % (24 * 3_600_000)),
  };
}
