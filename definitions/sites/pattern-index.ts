import { matchesPattern, type SitePattern } from './patterns.ts';

/** So many letters in a row lead to a pattern. */
const gram = 4;
/** Bits of a hash of them: almost every host is done with after one look at a table of 64 KB for each of its letters. */
const bits = 16;

/**
 * Finds which patterns a canonical host matches, in their order. Every host that matches has what stands between the stars in it, so a
 * pattern is compared only where that is there, and that is looked for only where its first four letters are: comparing hundreds with each
 * host that anyone asks for would take longer than all else.
 */
export function indexPatterns<T extends { pattern: SitePattern }>(all: T[]): (host: string) => T[] {
  const byGram = new Map<number, { place: number; piece: string }[]>();
  const seen = new Uint8Array(2 ** bits);
  const always: number[] = [];
  const none: T[] = [];
  for (const [place, { pattern }] of all.entries()) {
    const piece = longestPiece(pattern);
    if (piece.length < gram) always.push(place);
    else {
      const key = keyOf(piece);
      byGram.set(key, [...(byGram.get(key) ?? []), { place, piece }]);
      seen[slotOf(key)] = 1;
    }
  }
  return (host) => {
    let found: number[] | null = null;
    let key = 0;
    for (let at = 0; at < host.length; at++) {
      key = (key << 8) | host.charCodeAt(at);
      if (seen[slotOf(key)] !== 1) continue;
      for (const { place, piece } of byGram.get(key) ?? [])
        if (host.startsWith(piece, at - gram + 1)) {
          found ??= [...always];
          found.push(place);
        }
    }
    const places = found ?? always;
    if (places.length === 0) return none;
    const labels = host.split('.');
    const each = [...new Set(places)].sort((a, b) => a - b);
    return each.flatMap((place) => all[place] ?? []).filter(({ pattern }) => matchesPattern(labels, pattern));
  };
}

/** What stands between two stars, or between dots where there is none: the longest such piece, which is in every host that matches. */
function longestPiece({ labels }: SitePattern): string {
  const pieces = [...labels.filter((label) => label.includes('*')), ...labels.filter((label) => !label.includes('*'))];
  return pieces.flatMap((label) => label.split('*')).reduce((best, piece) => (piece.length > best.length ? piece : best), '');
}

/** Its first four letters. */
function keyOf(piece: string): number {
  let key = 0;
  for (let at = 0; at < gram; at++) key = (key << 8) | piece.charCodeAt(at);
  return key;
}

const slotOf = (key: number) => Math.imul(key, 0x9e3779b1) >>> (32 - bits);
