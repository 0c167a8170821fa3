import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { SiteAttempt } from '../ports.ts';
import { type Stopped, siteOf } from './verdict.ts';

/** A page can name thousands of sites: at most so many are reported in ten minutes, and all are blocked. */
const MAX_COUNT = 30;

/** Reports each site once in ten minutes, however often it is asked for: a browser asks three times for one page. `now` in milliseconds. */
export function reportedSites(now: () => number, report: (tried: SiteAttempt) => void): (stopped: Stopped) => void {
  const told = new Map<string, number>();
  return (stopped) => {
    const at = now();
    // In the order in which they were reported.
    for (const [old, when] of told) {
      if (at - when < serverLimits.alert_grouping) break;
      told.delete(old);
    }
    if (told.size >= MAX_COUNT) return;
    const { action, definition } = stopped;
    const site = siteOf(stopped);
    const key = `${action} ${site}`;
    if (told.has(key)) return;
    told.set(key, at);
    report({
      site,
      blocked: action === 'block',
      family: definition && { identifier: definition.identifier, category: definition.category },
    });
  };
}
