import type { ExceptionLasts } from '@porchlight/contract/exceptions.ts';
import { after } from '../../lib/clock.ts';

const hour = 3_600_000;
/** No day anywhere is longer than 25 hours. */
const longest = 26 * hour;

/** When something that is allowed now stops being so; null: when it is removed. `time_zone`: of the device, an IANA name. */
export function endOf(lasts: ExceptionLasts, now: Date, time_zone: string): Date | null {
  if (lasts === null) return null;
  return lasts === 'hour' ? after(now, hour) : nextDay(now, time_zone);
}

/**
 * The first moment of tomorrow, to the millisecond. Looked for instead of calculated: a day has 23 to 25 hours, and in some places
 * the clocks change at midnight, so that tomorrow begins at one.
 */
function nextDay(now: Date, time_zone: string): Date {
  const date = calendar(time_zone);
  const today = date.format(now);
  let [still, over] = [now.getTime(), now.getTime() + longest];
  while (over - still > 1) {
    const between = Math.floor((still + over) / 2);
    if (date.format(between) === today) still = between;
    else over = between;
  }
  return new Date(over);
}

/** A device says its zone itself; one that we do not know is taken for UTC. */
function calendar(time_zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: time_zone });
  } catch {
    return new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC' });
  }
}
