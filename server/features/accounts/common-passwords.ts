import { brand } from '@porchlight/contract/brand.ts';
import { fail } from '../../lib/errors.ts';
import { commonWords } from './common-words.ts';

/** The minimum number of distinct characters that are not part of a common pattern. */
const minUncommonCharacters = 4;
/** A password of this many different words of at least this many letters is also accepted. */
const enoughCommonWords = { count: 3, letters: 4 };

/** Rows of a keyboard and the alphabet, matched forwards and backwards. */
const keyboardRows = [
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  'abcdefghijklmnopqrstuvwxyz',
];
/** Keyboard columns (`1qaz2wsx3edc`) and zigzags (`1q2w3e4r5t6y`). */
const keyboardColumns = [
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8i9',
];
const runs = [...keyboardRows, ...keyboardColumns].flatMap((run) => [
  run + run,
  Array.from(run + run)
    .reverse()
    .join(''),
]);

const substitutes: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' };

/**
 * Whether a password is easy to guess (P13.1): apart from a few characters it consists of blanks, repetitions, keyboard runs, digits,
 * common words, the product's name, and the user's name and address.
 */
export function isCommonPassword(password: string, personalText: string[] = []): boolean {
  const normalized = password
    .normalize('NFKC')
    .toLowerCase()
    // Some invisible characters, such as the Hangul filler, are letters in Unicode.
    .replace(/[^\p{L}\p{N}$@!]|\p{Default_Ignorable_Code_Point}/gu, '');
  const ownWords = new Set([brand.name, ...personalText].flatMap(wordsOf));
  return [normalized, Array.from(normalized, (character) => substitutes[character] ?? character).join('')].some((text) =>
    isMostlyCommon(text, ownWords),
  );
}

/** Refuses a common password with the error `password_common`. */
export function refuseCommon(password: string, person: { name: string; email: string } = { name: '', email: '' }): void {
  if (!isCommonPassword(password, [person.name, person.email])) return;
  fail('password_common', { fields: [{ field: 'Password', tag: 'it is too easy to guess' }] });
}

/** The words of a text that can be matched; shorter ones occur in almost any password. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3);
}

/** Whether too few characters remain without common words, runs, digits and repetitions. */
function isMostlyCommon(text: string, ownWords: Set<string>): boolean {
  let rest = text;
  let wordCount = 0;
  for (const word of [...ownWords, ...commonWords].sort((a, b) => b.length - a.length)) {
    if (word.length < 3 || !rest.includes(word)) continue;
    rest = rest.replaceAll(word, ' ');
    if (!ownWords.has(word) && word.length >= enoughCommonWords.letters) wordCount += 1;
  }
  if (wordCount >= enoughCommonWords.count) return false;
  const withoutLongRuns = withoutRuns(rest, 3);
  // Any random password may contain three neighbouring keys.
  rest = lengthOf(withoutLongRuns) > text.length / 3 ? withoutRuns(rest, 4) : withoutLongRuns;
  // Digits are usually appended to a word, so they count only in a mostly random password.
  const isRandom = lengthOf(rest) > text.length / 2 && /\p{L}/u.test(text);
  rest = rest.replace(isRandom ? /[$@!]+/g : /[\d$@!]+/g, ' ').replace(/(.{1,6}?)\1+/gu, '$1');
  return new Set(rest.replaceAll(' ', '')).size < minUncommonCharacters;
}

const lengthOf = (text: string) => text.replaceAll(' ', '').length;

function withoutRuns(text: string, minRunLength: number): string {
  let remaining = '';
  for (let position = 0; position < text.length; ) {
    let length = 0;
    while (position + length < text.length && length < 40 && runs.some((run) => run.includes(text.slice(position, position + length + 1))))
      length += 1;
    remaining += length >= minRunLength ? ' ' : text.slice(position, position + 1);
    position += length >= minRunLength ? length : 1;
  }
  return remaining;
}
