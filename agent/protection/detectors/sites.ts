import type { SiteAttempt } from '../../ports.ts';
import type { SiteFinding } from './detector.ts';

/** A site that the DNS filter has matched already. The finding names what one owner has, and nothing of what was visited there (P4.3). */
export function detectSite({ site, family, blocked }: SiteAttempt): SiteFinding {
  const match = {
    identifier: family?.identifier ?? site,
    name: site.slice(0, 200),
    category: family?.category ?? ('ScamWebsite' as const),
    certainty: 'certain' as const,
    why: [`site=${site}`],
  };
  return { kind: 'site', match, site, refused: blocked };
}
