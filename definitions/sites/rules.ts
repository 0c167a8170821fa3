import type { Definition } from '../format.ts';
import { canonicalHost } from './host.ts';
import { firstAbove } from './names-above.ts';
import { indexPatterns } from './pattern-index.ts';
import { readPattern, type SitePattern } from './patterns.ts';
import { isSharedHost, whyNeverBlocked } from './public-suffix.ts';
import type { SiteList } from './site-list.ts';

/** The hosts and patterns of a catalogue, prepared for looking up. */
export interface SiteRules {
  /** A host to the family that it exists for: the host itself and everything below it. */
  hosts: ReadonlyMap<string, Definition>;
  /** Those that a host matches, in the order of the catalogue. */
  patterns: (host: string) => { pattern: SitePattern; definition: Definition }[];
}

/** A host that must not be blocked whole is left out, whoever lists it. Patterns are for `patternProblem` to judge. */
export function compileSites(definitions: Definition[]): SiteRules {
  const hosts = new Map<string, Definition>();
  const patterns: { pattern: SitePattern; definition: Definition }[] = [];
  for (const definition of definitions) {
    for (const text of definition.domains) {
      const read = canonicalHost(text);
      if ('host' in read && read.kind === 'name' && whyNeverBlocked(read.host) === null) hosts.set(read.host, definition);
    }
    for (const text of definition.site_patterns) patterns.push({ pattern: readPattern(text), definition });
  }
  return { hosts, patterns: indexPatterns(patterns) };
}

/** The family that a canonical host belongs to, and the mark that says so. */
export function findSite(host: string, rules: SiteRules): { definition: Definition; why: string } | null {
  const own = firstAbove(host, (name) => {
    const definition = rules.hosts.get(name);
    return definition && { definition, why: `domain=${name}` };
  });
  if (own) return own;
  for (const { pattern, definition } of rules.patterns(host)) {
    // What the pattern names is the end of the host: a deep one means everything below that.
    const named = host.split('.').slice(-pattern.labels.length).join('.');
    if (whyNeverBlocked(named) === null) return { definition, why: `site_pattern=${pattern.text}` };
  }
  return null;
}

/** The listed name that decides about a canonical host, or null: one that must not be blocked whole never does. */
export function findListed(host: string, list: SiteList): string | null {
  return list.find(host).find((name) => whyNeverBlocked(name) === null) ?? null;
}

/**
 * The person's own exception that opens a canonical host, or null. It opens what it names and everything below; one for a host that
 * different owners share opens that host alone, so that an exception for one shop is never one for all of them.
 */
export function exceptionFor(host: string, exceptions: ReadonlySet<string>): string | null {
  return firstAbove(host, (name) => (exceptions.has(name) && (name === host || !isSharedHost(name)) ? name : undefined)) ?? null;
}

export type SiteVerdict =
  | { verdict: 'excepted'; by: string }
  /** `definition` is null for what only the list of sites knows. */
  | { verdict: 'known'; definition: Definition | null; why: string }
  | { verdict: 'unknown' };

export interface SiteSources {
  rules: SiteRules;
  list: SiteList | null;
  /** Websites in their one spelling (`readWebsite` of the contract), of the person whose computer asks. */
  exceptions: ReadonlySet<string>;
}

/** What is known of a site, given as anything that names one. The person's own exception wins over everything, every time. */
export function judgeSite(text: string, { rules, list, exceptions }: SiteSources): SiteVerdict {
  const read = canonicalHost(text);
  if ('wrong' in read || read.kind === 'address') return { verdict: 'unknown' };
  const by = exceptionFor(read.host, exceptions);
  if (by !== null) return { verdict: 'excepted', by };
  const found = findSite(read.host, rules);
  if (found) return { verdict: 'known', ...found };
  const listed = list && findListed(read.host, list);
  return listed ? { verdict: 'known', definition: null, why: `site_list=${listed}` } : { verdict: 'unknown' };
}
