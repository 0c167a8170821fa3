import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { SiteAttempt } from '../ports.ts';
import { type Stopped, siteOf } from './verdict.ts';

/** A page can name thousands of sites; beyond this number in ten minutes sites are blocked but not reported. */
const MAX_COUNT = 30;

/** Reports each site once in ten minutes: a browser asks three times for one page. `now` in milliseconds. */
export function reportedSites(now: () => number, report: (tried: SiteAttempt) => void): (stopped: Stopped) => void {
  const reported = new Map<string, number>();
  return (stopped) => {
    const currentTime = now();
    for (const [oldSite, reportedAt] of reported) {
      if (currentTime - reportedAt < serverLimits.alert_grouping) break;
      reported.delete(oldSite);
    }
    if (reported.size >= MAX_COUNT) return;
    const { action, definition, money, imitates } = stopped;
    // All money sites are one: which of them somebody wanted is not reported.
    const site = money ? 'money' : siteOf(stopped);
    const key = `${action} ${site}`;
    if (reported.has(key)) return;
    reported.set(key, currentTime);
    report({
      site,
      blocked: action !== 'alert',
      ...(money ? { money } : {}),
      ...(imitates === undefined ? {} : { imitates }),
      definition: definition && { identifier: definition.identifier, category: definition.category },
    });
  };
}
