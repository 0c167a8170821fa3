import type { AllowListDuration } from '@porchlight/contract/allow-list.ts';
import { hour } from '@porchlight/contract/time.ts';
import { after } from '../../lib/clock.ts';

/** No day is longer than 25 hours. */
const maxDayMs = 26 * hour;

/** When an allow-list entry added now expires. `time_zone`: the device's IANA time zone. */
export function endOf(duration: AllowListDuration, now: Date, time_zone: string): Date | null {
  if (duration === null) return null;
  return duration === 'hour' ? after(now, hour) : nextDay(now, time_zone);
}

/** The next midnight, by binary search, because days have 23 to 25 hours and may begin at one o'clock. */
function nextDay(now: Date, time_zone: string): Date {
  const date = calendar(time_zone);
  const today = date.format(now);
  let [lastToday, firstTomorrow] = [now.getTime(), now.getTime() + maxDayMs];
  while (firstTomorrow - lastToday > 1) {
    const middle = Math.floor((lastToday + firstTomorrow) / 2);
    if (date.format(middle) === today) lastToday = middle;
    else firstTomorrow = middle;
  }
  return new Date(firstTomorrow);
}

/** The time zone is reported by the device; an unknown zone is treated as UTC. */
function calendar(time_zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: time_zone });
  } catch {
    return new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC' });
  }
}
