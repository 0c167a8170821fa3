import { after } from '../../lib/clock.ts';
import type { HoldFacts } from './decide.ts';

/** A guardian who left or was removed within this time may come back (P10.2). */
const may_come_back = 7 * 24 * 3_600_000;

/** `active`: how many guardians there are. `gone`: when the last one left or was removed. */
export function guardiansFact(active: number, gone: Date | null, now: Date): HoldFacts['guardians'] {
  if (active > 0) return 'some';
  return gone !== null && after(gone, may_come_back) > now ? 'gone' : 'none';
}
