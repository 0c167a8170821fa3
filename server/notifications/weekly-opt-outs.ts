import type { Trx } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';

export function weeklyOptOuts(clock: Clock) {
  return {
    async add(trx: Trx, guardian: string): Promise<true> {
      await trx
        .insertInto('guardian_weekly_offs')
        .values({ guardian, since: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .execute();
      return true;
    },

    async of(guardians: string[], trx: Trx): Promise<Set<string>> {
      if (guardians.length === 0) return new Set();
      const rows = await trx.selectFrom('guardian_weekly_offs').select('guardian').where('guardian', 'in', guardians).execute();
      return new Set(rows.map(({ guardian }) => guardian));
    },
  };
}
