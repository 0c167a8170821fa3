import type { Os } from '../format.ts';
import { expandHex, expandUnix, expandWindows, maxLength } from './expand.ts';

/** The same in Node and in every browser. */
declare function atob(text: string): string;

/** Characters of a command that are read. Windows allows 32,767. Of longer ones on macOS and Linux the beginning and the end are read. */
const maxCommandLength = maxLength;

const shorten = (line: string) =>
  line.length > maxCommandLength ? `${line.slice(0, maxCommandLength / 2)}${line.slice(-maxCommandLength / 2)}` : line;
const maxDepth = 4;
/** Characters of all layers together. */
export const maxTotal = 2 * maxLength;

const printable = /^[\t\n\r\u0020-\u007e]*$/;
const isReadable = (text: string) => {
  const sample = text.slice(0, 400);
  return printable.test(sample) || Array.from(sample).filter((character) => printable.test(character)).length >= sample.length * 0.9;
};

/** Text in base64 as UTF-16 or UTF-8, or null if it is something else. */
function decodeBase64(run: string): string | null {
  const whole = run
    .replace(/-/g, '+')
    .replace(/_/g, '/')
    .replace(/(?<!=)=+$/, '');
  let bytes: string;
  try {
    bytes = atob(whole.length % 4 === 1 ? whole.slice(0, -1) : whole);
  } catch {
    return null;
  }
  const zeros = bytes.slice(0, 400).split('\0').length - 1;
  const text = zeros * 3 > Math.min(bytes.length, 400) ? bytes.replace(/\0/g, '') : bytes;
  return isReadable(text) ? text : null;
}

const fromCodes = (codes: number[]) => String.fromCharCode(...codes.slice(0, 8_000));

/** What is encoded in the text: base64, hexadecimal, lists of character codes, and text that is written backwards. */
function* decoded(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)) {
    const plain = decodeBase64(run);
    if (plain !== null) yield plain;
    if (run.length >= 24 && run.length % 2 === 0 && /^[0-9a-f]+$/i.test(run)) {
      const hex = run.replace(/../g, (code) => String.fromCharCode(Number.parseInt(code, 16)));
      if (isReadable(hex)) yield hex;
    }
  }
  for (const [list] of text.matchAll(/(?:0x[0-9a-f]{2}|\d{1,3})(?: ?, ?(?:0x[0-9a-f]{2}|\d{1,3})){2,}/gi)) {
    const plain = fromCodes(list.split(',').map(Number));
    if (isReadable(plain)) yield plain;
  }
  if (/\[-1 ?\.\.|reverse|\| ?rev\b|righttoleft/i.test(text)) yield Array.from(text).reverse().join('');
}

/**
 * The command and everything that is hidden in it, outermost first: with variables and joined strings filled in, then decoded, up to four
 * deep. Together at most `maxTotal` characters, however the command is written.
 */
export function layersOf(line: string, os: Os): string[] {
  const layers: string[] = [];
  let total = 0;
  const add = (text: string) => {
    const fits = text.slice(0, Math.min(maxLength, maxTotal - total));
    if (fits === '' || layers.includes(fits)) return null;
    layers.push(fits);
    total += fits.length;
    return fits;
  };
  let current = [shorten(line)];
  for (let depth = 0; depth < maxDepth && current.length > 0; depth++) {
    const next: string[] = [];
    for (const raw of current) {
      const text = add(raw);
      if (text === null) continue;
      const expanded = add(expandHex(os === 'windows' ? expandWindows(text) : expandUnix(text))) ?? text;
      next.push(...decoded(expanded));
    }
    current = next;
  }
  return layers;
}
