import type { Db } from '../../../db/open.ts';
import { bad, good } from '../problem-rule.ts';
import type { OperationCheck } from './check.ts';

/** Whichever server found it: `carriers_away` has one row for each carrier that accepts nothing. */
export const carrierCheck = (db: Db, carrier: 'mail' | 'sms'): OperationCheck => ({
  key: carrier,
  async read() {
    const away = await db.selectFrom('carriers_away').select(['since', 'reason']).where('carrier', '=', carrier).executeTakeFirst();
    return away ? bad(away.reason, away.since) : good;
  },
});
