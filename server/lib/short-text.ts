import { fitsOneText, gsmLength } from './texts.ts';

/** How much of each name is kept: the first that makes the text fit. */
const lengths = [60, 40, 24, 14, 8];

/**
 * One text message from words that people chose, which may be long or outside of what a text can hold. `write` gets a function that
 * makes a name fit; everything else it writes must fit by itself. Throws when it never does.
 */
export function shortText(write: (name: (full: string) => string) => string): string {
  for (const length of lengths) {
    const text = write((full) => clip(sayable(full), length));
    if (fitsOneText(text)) return text;
  }
  throw new Error('a text does not fit, however short its names are');
}

/** With the letters that a text can hold: `Zoë` is `Zoe`, and what has no such letter is a question mark. */
function sayable(name: string): string {
  return [...name.normalize('NFC')]
    .map((letter) => {
      if (gsmLength(letter) === 1) return letter === '\n' || letter === '\r' ? ' ' : letter;
      const plain = letter.normalize('NFD').replace(/\p{M}/gu, '');
      return gsmLength(plain) === 1 ? plain : '?';
    })
    .join('');
}

function clip(name: string, length: number): string {
  return name.length > length ? `${name.slice(0, length - 2).trimEnd()}..` : name;
}
