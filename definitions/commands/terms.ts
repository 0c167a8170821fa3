interface Piece {
  text: string;
  /** Whether any number of the first characters suffices, as in `-e~ncodedcommand`. */
  optional: boolean;
}

/** A word or phrase of `patterns.json`. Its README explains the notation. */
export interface Term {
  head: string;
  rest: Piece[];
  starts: 'word' | 'option' | 'anywhere';
  ends: 'word' | 'command' | 'anywhere';
  /** What comes later in the same line. */
  next: Term | null;
  /** Whole words of the term: a text without one of them lacks the term. */
  words: string[];
}

const isWord = (character: string | undefined) => character !== undefined && /[a-z0-9_-]/.test(character);

const wordsIn = (text: string) => text.match(/[a-z0-9_-]+/g) ?? [];

/** The words of a normalized text, for `mayHave`. Reads it once. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(wordsIn(text));

/** False for most terms that the text lacks, without reading the text. */
export const mayHave = (words: ReadonlySet<string>, term: Term): boolean => term.words.every((word) => words.has(word));

/** `normalize`: what commands go through, so that terms and commands are written alike. Throws for an empty term. */
export function readTerm(written: string, normalize: (text: string) => string): Term {
  const gap = written.indexOf('…');
  if (gap !== -1) {
    const [term, next] = [readTerm(written.slice(0, gap), normalize), readTerm(written.slice(gap + 1), normalize)];
    return { ...term, next, words: [...term.words, ...next.words] };
  }
  const isOpen = written.endsWith('*');
  const atEnd = !isOpen && written.endsWith('$');
  const [first = '', ...others] = (isOpen || atEnd ? written.slice(0, -1) : written).split(/~([a-z]+)/);
  const head = normalize(first);
  if (head === '') throw new Error(`the term ${written} is in every command`);
  const rest = others.map((text, index) => ({ text, optional: index % 2 === 0 })).filter(({ text }) => text !== '');
  const words = wordsIn(head);
  // The last one can go on.
  if ((isOpen || rest.length > 0) && isWord(head.at(-1))) words.pop();
  return {
    ...{ head, rest, words },
    starts: head.startsWith('-') ? 'option' : isWord(head[0]) ? 'word' : 'anywhere',
    ends: isOpen ? 'anywhere' : atEnd ? 'command' : 'word',
    next: null,
  };
}

function startsWell(text: string, at: number, { starts }: Term): boolean {
  if (at === 0 || starts === 'anywhere') return true;
  return starts === 'option' ? text[at - 1] === ' ' : !isWord(text[at - 1]);
}

function endsWell(text: string, at: number, { ends }: Term): boolean {
  if (ends === 'anywhere' || at >= text.length) return true;
  if (ends === 'word') return !(isWord(text[at]) && isWord(text[at - 1]));
  const next = text[at] === ' ' ? text[at + 1] : text[at];
  return next === undefined || '|&;)}#<>\n'.includes(next);
}

/** Where the rest of the term ends if it begins at `from`, or -1. */
function endOfRest(text: string, from: number, { rest }: Term): number {
  let at = from;
  for (const { text: wanted, optional } of rest) {
    if (optional) {
      for (const character of wanted) {
        if (text[at] !== character) break;
        at += 1;
      }
    } else if (text.startsWith(wanted, at)) at += wanted.length;
    else return -1;
  }
  return at;
}

/** Where the first occurrence from `from` on, without what comes later, ends, or -1. */
function endOfFirst(text: string, term: Term, from: number): number {
  for (let at = text.indexOf(term.head, from); at !== -1; at = text.indexOf(term.head, at + 1)) {
    if (!startsWell(text, at, term)) continue;
    const end = endOfRest(text, at + term.head.length, term);
    if (end !== -1 && endsWell(text, end, term)) return end;
  }
  return -1;
}

/**
 * Whether a normalized text has the term. The cost is at most the length of the text times the length of the term: a line that lacks what
 * comes later is not read again, and neither are those up to the next one with it.
 */
export function hasTerm(text: string, term: Term): boolean {
  let first = endOfFirst(text, term, 0);
  search: while (first !== -1) {
    let end = first;
    for (let step = term.next; step; step = step.next) {
      const found = endOfFirst(text, step, end);
      if (found === -1) return false;
      const line = text.lastIndexOf('\n', found - 1);
      if (line >= first) {
        first = endOfFirst(text, term, line);
        continue search;
      }
      end = found;
    }
    return true;
  }
  return false;
}
