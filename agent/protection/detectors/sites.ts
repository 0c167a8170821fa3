import type { SiteAttempt } from '../../ports.ts';
import type { SiteFinding } from './detector.ts';

/** A site that the DNS filter matched. Contains only the registrable domain, not the visited page (P4.3). */
export function detectSite({ site, definition, blocked }: SiteAttempt): SiteFinding {
  const match = {
    identifier: definition?.identifier ?? site,
    name: site.slice(0, 200),
    category: definition?.category ?? ('ScamWebsite' as const),
    certainty: 'certain' as const,
    why: [`site=${site}`],
  };
  return { kind: 'site', match, site, refused: blocked };
}
