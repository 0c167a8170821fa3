import { money_pages_identifier, pausedSiteIdentifier, young_site } from '@porchlight/contract/unlisted-protection.ts';
import type { SiteAttempt } from '../../ports.ts';
import type { SiteFinding } from './detector.ts';

/** A site that the DNS filter matched. Contains only the registrable domain, not the visited page (P4.3). */
export function detectSite({ site, definition, blocked, money, imitates }: SiteAttempt): SiteFinding {
  // Which bank somebody has is nobody's business: the kind is enough.
  if (money) {
    const match = {
      identifier: money_pages_identifier,
      name: 'A money page',
      category: 'MoneySite',
      certainty: 'certain',
      why: [money],
    } as const;
    return { kind: 'site', match: { ...match, why: [money] }, site: money, refused: blocked };
  }
  if (imitates !== undefined) {
    const match = {
      identifier: pausedSiteIdentifier(site),
      name: site.slice(0, 200),
      category: 'PausedSite',
      certainty: 'certain',
    } as const;
    return { kind: 'site', match: { ...match, why: [imitates ?? young_site] }, site, refused: blocked };
  }
  const match = {
    identifier: definition?.identifier ?? site,
    name: site.slice(0, 200),
    category: definition?.category ?? ('ScamWebsite' as const),
    certainty: 'certain' as const,
    why: [`site=${site}`],
  };
  return { kind: 'site', match, site, refused: blocked };
}
