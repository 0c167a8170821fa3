import { isSharedHost } from './public-suffix.ts';

/** A pattern of hosts, ready to be compared (`site_patterns` in format.ts says how one is written). */
export interface SitePattern {
  text: string;
  /** May any labels stand before? */
  deep: boolean;
  labels: string[];
}

export function readPattern(text: string): SitePattern {
  const deep = text.startsWith('**.');
  return { text, deep, labels: text.slice(deep ? 3 : 0).split('.') };
}

/** Does a label look like the pattern of one? Goes back to the last star only, so that no text makes it slow. */
function labelMatches(label: string, pattern: string): boolean {
  let [at, p, star, resume] = [0, 0, -1, 0];
  while (at < label.length) {
    if (pattern[p] === '*') {
      star = p++;
      resume = at;
    } else if (pattern[p] === label[at]) {
      at++;
      p++;
    } else if (star >= 0) {
      p = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Compares a canonical host, given as its labels. */
export function matchesPattern(labels: string[], pattern: SitePattern): boolean {
  const before = labels.length - pattern.labels.length;
  if (before < 0 || (before > 0 && !pattern.deep)) return false;
  return pattern.labels.every((expected, at) => labelMatches(labels[before + at] ?? '', expected));
}

/** Letters that one owner's part of a pattern must name: with fewer it means harmless sites as well. */
const fewest = 6;

/** Why a pattern must not be used, in words, or null. For the check of the catalogue. */
export function patternProblem(text: string): string | null {
  const { labels } = readPattern(text);
  if (!labels.every((label) => /^[a-z0-9*](?:[a-z0-9*-]*[a-z0-9*])?$/.test(label))) return 'is not a lower-case host with stars in it';
  if (!labels.some((label) => label.includes('*'))) return 'has no star: it belongs to the domains';
  if (labels.some((label) => label.includes('**'))) return 'has two stars side by side, which only its beginning may have';
  const fixed = labels.findLastIndex((label) => label.includes('*'));
  const rest = labels.slice(fixed + 1).join('.');
  if (rest === '') return 'ends with a star: it would stand for every country and kind of site';
  // Below what one owner has, that owner's name is enough; below a shared host the label itself must be distinctive.
  if (!isSharedHost(rest)) return null;
  const named = (labels[fixed] ?? '').replaceAll('*', '').length;
  return named < fewest ? `names only ${named} letters below ${rest}, and would mean harmless sites too` : null;
}
