import type { Definition } from '../format.ts';
import { canonicalHost } from './host.ts';
import type { NeverBlock } from './never-block.ts';
import { nearestParent } from './parent-domains.ts';
import { indexPatterns } from './pattern-index.ts';
import { readPattern, type SitePattern } from './patterns.ts';
import { isSharedHost, whyNeverBlocked } from './public-suffix.ts';
import type { SiteList } from './site-list.ts';

export interface SiteRules {
  hosts: ReadonlyMap<string, Definition>;
  /** Parents of blocked hosts that are themselves not blocked. */
  parents: ReadonlyMap<string, Definition>;
  patterns: (host: string) => { pattern: SitePattern; definition: Definition }[];
  neverBlock: NeverBlock;
}

/** Builds rules, leaving out hosts that must not be blocked whole. `patternProblem` checks patterns. */
export function compileSites(definitions: Definition[], neverBlock: NeverBlock): SiteRules {
  const [hosts, parents] = [new Map<string, Definition>(), new Map<string, Definition>()];
  const patterns: { pattern: SitePattern; definition: Definition }[] = [];
  for (const definition of definitions) {
    for (const text of definition.domains) {
      const read = canonicalHost(text.replace(/^\*\./, ''));
      if ('host' in read && read.kind === 'name' && whyNeverBlocked(read.host, neverBlock) === null)
        (text.startsWith('*.') ? parents : hosts).set(read.host, definition);
    }
    for (const text of definition.site_patterns) patterns.push({ pattern: readPattern(text), definition });
  }
  return { hosts, parents, patterns: indexPatterns(patterns), neverBlock };
}

export function findSite(host: string, rules: SiteRules): { definition: Definition; why: string } | null {
  const ownDefinition = nearestParent(host, (name) => {
    const definition = rules.hosts.get(name) ?? (name === host ? undefined : rules.parents.get(name));
    return definition && { definition, why: `domain=${name}` };
  });
  if (ownDefinition) return ownDefinition;
  for (const { pattern, definition } of rules.patterns(host)) {
    const matchedHost = host.split('.').slice(-pattern.labels.length).join('.');
    if (whyNeverBlocked(matchedHost, rules.neverBlock) === null) return { definition, why: `site_pattern=${pattern.text}` };
  }
  return null;
}

/** The listed name that blocks the host. Names that must not be blocked whole are ignored. */
export function findListed(host: string, list: SiteList, neverBlock: NeverBlock): string | null {
  return list.find(host).find((name) => whyNeverBlocked(name, neverBlock) === null) ?? null;
}

/** An exception also covers subdomains, except for a shared host: an exception for one shop must never cover all shops. */
export function exceptionFor(host: string, exceptions: ReadonlySet<string>): string | null {
  return nearestParent(host, (name) => (exceptions.has(name) && (name === host || !isSharedHost(name)) ? name : undefined)) ?? null;
}

export type SiteVerdict =
  | { verdict: 'excepted'; by: string }
  /** `definition` is null when only the site list contains it. */
  | { verdict: 'known'; definition: Definition | null; why: string }
  | { verdict: 'unknown' };

export interface SiteSources {
  rules: SiteRules;
  list: SiteList | null;
  /** Canonical hosts of websites that the user allows (`readWebsite` of the contract). */
  exceptions: ReadonlySet<string>;
}

/** The user's own exception outranks everything. */
export function siteVerdict(text: string, { rules, list, exceptions }: SiteSources): SiteVerdict {
  const read = canonicalHost(text);
  if ('wrong' in read || read.kind === 'address') return { verdict: 'unknown' };
  const by = exceptionFor(read.host, exceptions);
  if (by !== null) return { verdict: 'excepted', by };
  const siteMatch = findSite(read.host, rules);
  if (siteMatch) return { verdict: 'known', ...siteMatch };
  const listedHost = list && findListed(read.host, list, rules.neverBlock);
  return listedHost ? { verdict: 'known', definition: null, why: `site_list=${listedHost}` } : { verdict: 'unknown' };
}
