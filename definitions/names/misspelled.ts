import { type CompiledNames, long_start, shortenings, shortest_misspelled, type Word } from './compile.ts';
import { isKnown, longest_word } from './known-words.ts';

/** A longer word resembles nothing else, unless another letter is in its place: `eupedia` is no `expedia`. */
const surely_misspelled = 7;

/** People notice the first letter first. Only a small l passes for an i. */
const beginsAlike = (typed: string, word: string) => typed[0] === word[0] || (/^[il]/.test(typed) && /^[il]/.test(word));

/** Letters that the eye takes for each other. */
const alike = new Set(['il', 'ij', 'lt', 'uv', 'vw', 'nm', 'ec', 'ao', 'gq', 'ft', 'bd']);
const areAlike = (one = '', other = '') => alike.has(one + other) || alike.has(other + one);

/**
 * Whether one letter is too many, missing, another one, or changed places with the next. `sure`: in a way that the eye passes over, so that nobody
 * chose the name for its own sake.
 */
function oneOff(typed: string, word: string): 'sure' | 'likely' | null {
  if (typed === word || !beginsAlike(typed, word) || Math.abs(typed.length - word.length) > 1) return null;
  let same = 0;
  while (typed[same] === word[same] && same < typed.length) same += 1;
  const [left, right] = [typed.slice(same), word.slice(same)];
  if (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)) return 'sure';
  if (left.length === right.length && left.slice(1) === right.slice(1)) return areAlike(left[0], right[0]) ? 'sure' : 'likely';
  if (left.slice(1) === right) return left[0] === typed[same - 1] || /^\d/.test(left) ? 'sure' : 'likely';
  if (left === right.slice(1)) return right[0] === word[same - 1] ? 'sure' : 'likely';
  return null;
}

export interface Misspelled {
  word: Word;
  isSure: boolean;
}

/** A word that is one letter off a brand, in linear time for each spelling. */
export function misspelled(typed: string, names: CompiledNames): Misspelled | null {
  const { shortened, innocent, words, longWords } = names;
  if (typed.length < shortest_misspelled || typed.length > longest_word || innocent.has(typed) || words.has(typed) || isKnown(typed, names))
    return null;
  for (const spelling of [typed, ...shortenings(typed)]) {
    for (const word of shortened.get(spelling) ?? []) {
      const how = oneOff(typed, word.text);
      if (how) return { word, isSure: how === 'sure' || (word.text.length >= surely_misspelled && typed.length !== word.text.length) };
    }
  }
  const long = longWords.get(typed.slice(0, long_start))?.find(({ text }) => isTwoOff(typed, text));
  return long ? { word: long, isSure: true } : null;
}

/** How many letters differ, are missing or are too many. */
export function editsFrom(typed: string, word: string): number {
  let above = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (let row = 1; row <= typed.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= word.length; at += 1) {
      const same = typed[row - 1] === word[at - 1] ? 0 : 1;
      next.push(Math.min((above[at - 1] ?? 0) + same, (above[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    above = next;
  }
  return above[word.length] ?? 0;
}

/** A word as the eye passes over it: letters that are alike become one, and so do double letters. */
const atAGlance = (text: string) =>
  text
    .replace(/[lj]/g, 'i')
    .replaceAll('v', 'u')
    .replaceAll('m', 'n')
    .replaceAll('q', 'g')
    .replace(/(.)\1+/g, '$1');

/** `steamcomnunlty`. Only asked of long words, of which the eye passes over one letter: `bankofafrica` is no `bankofamerica`. */
const isTwoOff = (typed: string, word: string) =>
  Math.abs(typed.length - word.length) <= 2 && editsFrom(typed, word) <= 2 && editsFrom(atAGlance(typed), atAGlance(word)) <= 1;
