import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';

export type VisitStore = ReturnType<typeof visitStore>;

/** When guardians opened their page. */
export function visitStore(db: Db, clock: Clock) {
  const of = (guardian: string, on: Db | Trx = db) =>
    on
      .selectFrom('guardian_visits')
      .select('time')
      .where('guardian', '=', guardian)
      .orderBy('time', 'desc')
      .limit(serverLimits.looks_page)
      .execute();

  return {
    /** Newest first. */
    of: async (guardian: string) => (await of(guardian)).map(({ time }) => time),

    /** The last one of each guardian of an account, by the guardian's uuid. */
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

    /** Has it been so long that another look counts? */
    async counts(guardian: string, on: Db | Trx = db): Promise<boolean> {
      const recent = await on
        .selectFrom('guardian_visits')
        .select('time')
        .where('guardian', '=', guardian)
        .where('time', '>', after(clock.now(), -serverLimits.look_counts))
        .executeTakeFirst();
      return recent === undefined;
    },

    /** More than are shown are not kept: an open page would fill the table. */
    async add(trx: Trx, guardian: string): Promise<void> {
      await trx.insertInto('guardian_visits').values({ guardian, time: clock.now() }).execute();
      const kept = await of(guardian, trx);
      const oldest = kept.at(-1)?.time;
      if (oldest) await trx.deleteFrom('guardian_visits').where('guardian', '=', guardian).where('time', '<', oldest).execute();
    },
  };
}
