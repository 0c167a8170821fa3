import { matchesPattern, type SitePattern } from './patterns.ts';

const gram = 4;
/** Index size: most hosts need one read per character from a table of 64 KB. */
const bits = 16;

/**
 * A matching host contains the text between a pattern's stars. The index finds the first four characters of that text, so that only those
 * patterns are compared: comparing hundreds for each query would be too slow.
 */
export function indexPatterns<T extends { pattern: SitePattern }>(items: T[]): (host: string) => T[] {
  const byGram = new Map<number, { place: number; piece: string }[]>();
  const presentGrams = new Uint8Array(2 ** bits);
  const always: number[] = [];
  const noItems: T[] = [];
  for (const [itemIndex, { pattern }] of items.entries()) {
    const piece = longestPiece(pattern);
    if (piece.length < gram) always.push(itemIndex);
    else {
      const key = keyOf(piece);
      byGram.set(key, [...(byGram.get(key) ?? []), { place: itemIndex, piece }]);
      presentGrams[slotOf(key)] = 1;
    }
  }
  return (host) => {
    let candidates: number[] | null = null;
    let key = 0;
    for (let offset = 0; offset < host.length; offset++) {
      key = (key << 8) | host.charCodeAt(offset);
      if (presentGrams[slotOf(key)] !== 1) continue;
      for (const { place, piece } of byGram.get(key) ?? [])
        if (host.startsWith(piece, offset - gram + 1)) {
          candidates ??= [...always];
          candidates.push(place);
        }
    }
    const itemIndexes = candidates ?? always;
    if (itemIndexes.length === 0) return noItems;
    const labels = host.split('.');
    const uniqueIndexes = [...new Set(itemIndexes)].sort((a, b) => a - b);
    return uniqueIndexes.flatMap((itemIndex) => items[itemIndex] ?? []).filter(({ pattern }) => matchesPattern(labels, pattern));
  };
}

/** The longest text without a star; labels with a star are preferred. */
function longestPiece({ labels }: SitePattern): string {
  const pieces = [...labels.filter((label) => label.includes('*')), ...labels.filter((label) => !label.includes('*'))];
  return pieces.flatMap((label) => label.split('*')).reduce((best, piece) => (piece.length > best.length ? piece : best), '');
}

function keyOf(piece: string): number {
  let key = 0;
  for (let offset = 0; offset < gram; offset++) key = (key << 8) | piece.charCodeAt(offset);
  return key;
}

const slotOf = (key: number) => Math.imul(key, 0x9e3779b1) >>> (32 - bits);
