import { minute } from '@porchlight/contract/time.ts';
import type { Db } from '../../../db/open.ts';
import { carriersAway } from '../../../jobs/carriers-away.ts';
import { urgencyOf } from '../../../jobs/lanes.ts';
import { oldestDue } from '../../../jobs/oldest-due.ts';
import type { Clock } from '../../../lib/clock.ts';
import { bad, good } from '../problem-rule.ts';
import type { OperationCheck } from './check.ts';

const overdue_ms = 5 * minute;
/** On Sunday all weekly reports are due in the same hour, and their delay does not matter. */
const bulk_overdue_ms = 120 * minute;

/** Jobs wait longer than they should. Those of a carrier that accepts nothing are its own problem. */
export const backlogCheck = (db: Db, clock: Clock): OperationCheck => ({
  key: 'backlog',
  async read() {
    const [lanes, away] = await Promise.all([oldestDue(db, clock), carriersAway(db, clock)]);
    const overdue = lanes
      .filter(({ lane }) => !away.some(({ carrier }) => lane.startsWith(`${carrier}_`)))
      .map(({ lane, due }) => ({ lane, wait: clock.now().getTime() - due.getTime() }))
      .filter(({ lane, wait }) => wait > (urgencyOf(lane) === 'bulk' ? bulk_overdue_ms : overdue_ms));
    return overdue.length ? bad(overdue.map(({ lane, wait }) => `${lane}: ${Math.floor(wait / minute)} minutes`).join(', ')) : good;
  },
});
