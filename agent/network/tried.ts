import { limits } from '@porchlight/contract/limits.ts';
import type { Tried } from './protocol.ts';
import type { Verdict } from './verdict.ts';

/** A page can name thousands of sites: so many different ones are told of within ten minutes, and all are blocked. */
const most = 30;

/** Tells of each site once in ten minutes, however often it is asked for: a browser asks three times for one page. `now` in milliseconds. */
export function triedSites(now: () => number, tell: (tried: Tried) => void): (verdict: Extract<Verdict, { site: string }>) => void {
  const told = new Map<string, number>();
  return ({ action, site, definition }) => {
    const at = now();
    const key = `${action} ${site}`;
    const before = told.get(key);
    if (before !== undefined && at - before < limits.alert_grouping) return;
    for (const [old, when] of told) if (at - when >= limits.alert_grouping) told.delete(old);
    if (told.size >= most) return;
    told.set(key, at);
    const family = definition && {
      identifier: definition.identifier,
      category: definition.category,
    };
    tell({ site, blocked: action === 'block', family });
  };
}
