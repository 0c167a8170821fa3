import type { CompiledNames } from './compile.ts';

export const longest_known = 24;
export const longest_word = 40;

/** Cuts `piece` into known words and digits, the longest first; null if a piece of it is neither. Takes at most `longest_known` steps a letter. */
export function knownWords(piece: string, names: CompiledNames): string[] | null {
  const cuts: (string[] | null)[] = [[]];
  for (let end = 1; end <= piece.length; end += 1) {
    cuts[end] = null;
    for (let start = Math.max(0, end - longest_known); start < end && !cuts[end]; start += 1) {
      const before = cuts[start];
      const word = piece.slice(start, end);
      if (before && isKnown(word, names)) cuts[end] = [...before, word];
    }
  }
  return cuts[piece.length] ?? null;
}

export const isKnown = (word: string, { actions, topics, fillers }: CompiledNames) =>
  actions.has(word) || topics.has(word) || fillers.has(word) || /^\d+$/.test(word);
