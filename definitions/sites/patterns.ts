import { isSharedHost } from './public-suffix.ts';

export interface SitePattern {
  text: string;
  /** Whether further labels may precede the pattern. */
  deep: boolean;
  labels: string[];
}

export function readPattern(text: string): SitePattern {
  const deep = text.startsWith('**.');
  return { text, deep, labels: text.slice(deep ? 3 : 0).split('.') };
}

/** Compares a label with a pattern. Backtracks only to the last star, so that no input is slow. */
function labelMatches(label: string, pattern: string): boolean {
  let [labelIndex, patternIndex, star, resume] = [0, 0, -1, 0];
  while (labelIndex < label.length) {
    if (pattern[patternIndex] === '*') {
      star = patternIndex++;
      resume = labelIndex;
    } else if (pattern[patternIndex] === label[labelIndex]) {
      labelIndex++;
      patternIndex++;
    } else if (star >= 0) {
      patternIndex = star + 1;
      labelIndex = ++resume;
    } else return false;
  }
  while (pattern[patternIndex] === '*') patternIndex++;
  return patternIndex === pattern.length;
}

export function matchesPattern(labels: string[], pattern: SitePattern): boolean {
  const extraLabels = labels.length - pattern.labels.length;
  if (extraLabels < 0 || (extraLabels > 0 && !pattern.deep)) return false;
  return pattern.labels.every((expected, index) => labelMatches(labels[extraLabels + index] ?? '', expected));
}

/** Minimum characters in the owner's label: shorter patterns match harmless sites. */
const minCharacters = 6;

export function patternProblem(text: string): string | null {
  const { labels } = readPattern(text);
  if (!labels.every((label) => /^[a-z0-9*](?:[a-z0-9*-]*[a-z0-9*])?$/.test(label))) return 'is not a lower-case host with stars in it';
  if (!labels.some((label) => label.includes('*'))) return 'has no star: it belongs to the domains';
  if (labels.some((label) => label.includes('**'))) return 'has two stars side by side, which only its beginning may have';
  const fixed = labels.findLastIndex((label) => label.includes('*'));
  const fixedEnd = labels.slice(fixed + 1).join('.');
  if (fixedEnd === '') return 'ends with a star: it would stand for every country and kind of site';
  // Where anyone can get a name below `fixedEnd`, the label with the star must be long enough.
  if (!isSharedHost(fixedEnd)) return null;
  const characterCount = (labels[fixed] ?? '').replaceAll('*', '').length;
  return characterCount < minCharacters
    ? `names only ${characterCount} letters below ${fixedEnd}, and would mean harmless sites too`
    : null;
}
