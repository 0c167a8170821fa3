import { parse } from 'tldts';
import { commonFolders } from './check-folders.ts';
import { sharedHosts, sharedServices } from './check-lists.ts';
import { fold } from './fold.ts';
import { foldPath } from './fold-path.ts';
import type { Definition } from './format.ts';
import { shippedNeverBlock } from './shipped.ts';
import { canonicalHost } from './sites/host.ts';
import { matchesPattern, patternProblem, readPattern } from './sites/patterns.ts';
import { whyNeverBlocked } from './sites/public-suffix.ts';

export function checkPlaces(definition: Definition): string[] {
  return [...checkPaths(definition), ...checkServices(definition), ...checkDomains(definition), ...checkPatterns(definition)];
}

function checkPaths({ programs }: Definition): string[] {
  return programs.paths.flatMap(({ path }) => {
    if (/[\\*?%<>|"~]|^[a-z]:|^\/|\/$/i.test(path)) {
      return [`has the folder ${path}: write it without drive, wildcard and variable, with / between its parts and none at either end`];
    }
    const foldedPath = foldPath(path);
    if (foldedPath === '' || commonFolders.has(foldedPath))
      return [`has the folder ${path}, where others lie too: name the product's own folder`];
    return [];
  });
}

function checkServices({ services, part_of_system }: Definition): string[] {
  return services.flatMap(({ name }) => {
    if (/[\\/*?]/.test(name)) return [`has the service ${name}: a whole name has no path and no wildcard`];
    return !part_of_system && sharedServices.has(fold(name)) ? [`has the service ${name}, which belongs to the system or to many`] : [];
  });
}

/** Domains whose subdomains are sold to anyone, as below a country's domain, or belong to one company. */
const soldLikeACountry = /^([a-z]{2,3}\.(com|net|org)|googleapis\.com)$/;

/** Whether a service rents this domain out to anyone, as with a storage bucket or a page builder. */
function isRented(domain: string): boolean {
  const { isPrivate, publicSuffix } = parse(domain, { allowPrivateDomains: true });
  return Boolean(isPrivate && publicSuffix && !soldLikeACountry.test(publicSuffix));
}

function checkDomains({ domains, category }: Definition): string[] {
  return domains.flatMap((text) => {
    const domain = text.replace(/^\*\./, '');
    const read = canonicalHost(domain);
    if ('wrong' in read || read.kind === 'address' || read.host !== domain || !domain.includes('.')) {
      return [`has the domain ${text}, which is not a plain lower-case host`];
    }
    const reason = whyNeverBlocked(domain, shippedNeverBlock) ?? (sharedHosts.has(domain) ? 'others use it too' : null);
    if (reason) return [`has the domain ${domain}: ${reason}; name a host that exists for this product alone`];
    if (category !== 'ScamWebsite' && isRented(domain)) {
      return [`has the domain ${domain}, which is rented from a host that anyone can use: name the vendor's own`];
    }
    return [];
  });
}

/** For one label of a pattern. Shorter labels match harmless names by chance. */
const minCharacters = 8;

function checkPatterns({ site_patterns, category }: Definition): string[] {
  if (site_patterns.length > 0 && category !== 'ScamWebsite')
    return ['has site_patterns, and only families of scam sites may: use domains'];
  return site_patterns.flatMap((text) => {
    const problem = patternProblem(text);
    if (problem) return [`has the pattern ${text}, which ${problem}`];
    const pattern = readPattern(text);
    const longest = Math.max(...pattern.labels.slice(0, -1).map((label) => label.replaceAll('*', '').length));
    if (longest < minCharacters) return [`has the pattern ${text}: a label of it must name ${minCharacters} letters or more`];
    const harmlessHost = [...shippedNeverBlock, ...sharedHosts].find((host) => matchesPattern(host.split('.'), pattern));
    return harmlessHost ? [`has the pattern ${text}, which ${harmlessHost} fits too`] : [];
  });
}
