import { matchesPattern, type SitePattern } from './patterns.ts';

/** So many letters in a row lead to a pattern. */
const gram = 4;
/** Bits of a hash of them: almost every host is done with after one look at a table of 64 KB for each of its letters. */
const bits = 16;

/**
 * Finds which patterns a canonical host matches, in their order. Every host that matches has what stands between the stars in it, so a pattern is
 * compared only where four letters of that are there: comparing hundreds with each host that anyone asks for would take longer than all else.
 */
export function indexPatterns<T extends { pattern: SitePattern }>(all: T[]): (host: string) => T[] {
  const byGram = new Map<number, number[]>();
  const seen = new Uint8Array(2 ** bits);
  const always: number[] = [];
  const none: T[] = [];
  for (const [place, { pattern }] of all.entries()) {
    const key = keyOf(pattern);
    if (key === null) always.push(place);
    else {
      byGram.set(key, [...(byGram.get(key) ?? []), place]);
      seen[slotOf(key)] = 1;
    }
  }
  return (host) => {
    let found: number[] | null = null;
    let key = 0;
    for (let at = 0; at < host.length; at++) {
      key = (key << 8) | host.charCodeAt(at);
      if (seen[slotOf(key)] === 1) found = [...(found ?? always), ...(byGram.get(key) ?? [])];
    }
    const places = found ?? always;
    if (places.length === 0) return none;
    const labels = host.split('.');
    const each = [...new Set(places)].sort((a, b) => a - b);
    return each.flatMap((place) => all[place] ?? []).filter(({ pattern }) => matchesPattern(labels, pattern));
  };
}

/** The first letters of the longest piece between stars, or between dots where that is longer; null where all are shorter than four. */
function keyOf({ labels }: SitePattern): number | null {
  const pieces = [...labels.filter((label) => label.includes('*')), ...labels.filter((label) => !label.includes('*'))];
  const longest = pieces.flatMap((label) => label.split('*')).reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  if (longest.length < gram) return null;
  let key = 0;
  for (let at = 0; at < gram; at++) key = (key << 8) | longest.charCodeAt(at);
  return key;
}

const slotOf = (key: number) => Math.imul(key, 0x9e3779b1) >>> (32 - bits);
