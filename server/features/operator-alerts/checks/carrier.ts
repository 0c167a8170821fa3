import type { Db } from '../../../db/open.ts';
import { carriersAway } from '../../../jobs/carriers-away.ts';
import type { Clock } from '../../../lib/clock.ts';
import { bad, good } from '../problem-rule.ts';
import type { OperationCheck } from './check.ts';

/** Whichever server found it. */
export const carrierCheck = (db: Db, clock: Clock, carrier: 'mail' | 'sms'): OperationCheck => ({
  key: carrier,
  async read() {
    const away = (await carriersAway(db, clock)).find((one) => one.carrier === carrier);
    return away ? bad(away.reason, away.since) : good;
  },
});
