import type { SiteAttempt } from '../dns-filter/protocol.ts';
import type { Found } from './reporter.ts';

/** A site that somebody tried to open, told as every other finding. Nothing is told but what one owner has (P4.3). */
export function siteFinding({ site, family }: SiteAttempt): Found {
  const name = site.slice(0, 200);
  return {
    match: {
      identifier: family?.identifier ?? site,
      name,
      category: family?.category ?? 'ScamWebsite',
      certainty: 'certain',
      why: [`site=${site}`],
    },
    kind: 'site',
    process: { path: site },
  };
}
