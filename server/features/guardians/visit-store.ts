import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';

export type VisitStore = ReturnType<typeof visitStore>;

/** Page visits of guardians. */
export function visitStore(db: Db, clock: Clock) {
  const visitsOf = (guardian: string, connection: Db | Trx = db) =>
    connection
      .selectFrom('guardian_visits')
      .select('time')
      .where('guardian', '=', guardian)
      .orderBy('time', 'desc')
      .limit(serverLimits.page_visits_shown)
      .execute();

  return {
    of: async (guardian: string) => (await visitsOf(guardian)).map(({ time }) => time),

    async lastOf(account: string): Promise<Map<string, Date>> {
      const rows = await db
        .selectFrom('guardian_visits')
        .innerJoin('guardians', 'guardians.uuid', 'guardian_visits.guardian')
        .select(({ fn }) => ['guardian', fn.max('time').as('time')])
        .where('account', '=', account)
        .groupBy('guardian')
        .execute();
      return new Map(rows.map(({ guardian, time }) => [guardian, time]));
    },

    /** Whether enough time has passed since the last visit to count a new visit. */
    async counts(guardian: string, connection: Db | Trx = db): Promise<boolean> {
      const recent = await connection
        .selectFrom('guardian_visits')
        .select('time')
        .where('guardian', '=', guardian)
        .where('time', '>', after(clock.now(), -serverLimits.page_visit_gap))
        .executeTakeFirst();
      return recent === undefined;
    },

    /** Stores a visit and deletes visits that are no longer shown. */
    async add(trx: Trx, guardian: string): Promise<void> {
      await trx.insertInto('guardian_visits').values({ guardian, time: clock.now() }).execute();
      const visits = await visitsOf(guardian, trx);
      const oldest = visits.at(-1)?.time;
      if (oldest) await trx.deleteFrom('guardian_visits').where('guardian', '=', guardian).where('time', '<', oldest).execute();
    },
  };
}
