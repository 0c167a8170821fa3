import { hour } from '@porchlight/contract/time.ts';
import { after } from '../../lib/clock.ts';

/** The server was up from `since` until `until`. */
export interface UptimeInterval {
  since: Date;
  until: Date;
}

/** A longer gap between hourly records means that the server was down. */
const maxGapMs = 2 * hour;
/** Longer than 7 days, the longest wait before people are notified of an offline device. */
const retentionMs = 30 * 24 * hour;

/** The intervals once the server has recorded that it is up `now`, so that neither downtime nor clock errors count as device outages. */
export function extendedUptime(intervals: UptimeInterval[], now: Date): UptimeInterval[] {
  const isCurrent = ({ until }: UptimeInterval) => until >= after(now, -maxGapMs);
  // Uptime in the future was recorded while the clock was ahead. An interval that reaches into the future ends now.
  const past = intervals.filter(({ since }) => since <= now);
  const extended = past.map((one) => (isCurrent(one) ? { ...one, until: now } : one));
  if (!past.some(isCurrent)) extended.push({ since: now, until: now });
  return extended.filter(({ until }) => until >= after(now, -retentionMs));
}
