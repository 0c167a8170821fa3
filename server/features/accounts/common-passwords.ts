import { brand } from '@porchlight/contract/brand.ts';
import { fail } from '../../lib/errors.ts';
import { commonWords } from './common-words.ts';

/** How many characters of a password must be something else than what everybody tries first. */
const own_characters = 4;
/** Or as many different words, each of so many letters: common as they are, nobody tries all of their combinations. */
const enough_words = { count: 3, letters: 4 };

/** Keys that lie beside one another, and the alphabet: whoever runs a finger along them. Read forwards and backwards. */
const rows = [
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
/** Columns of the keyboard, one after the other: `1qaz2wsx3edc`; and zigzags: `1q2w3e4r5t6y`. */
const columns = [
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8i9',
];
const runs = [...rows, ...columns].flatMap((run) => [
  run + run,
  Array.from(run + run)
    .reverse()
    .join(''),
]);

/** Digits and signs that stand in for letters. */
const stands: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' };

/**
 * Whether a password is one of those that are tried first (P13.1): nothing but blanks, repeats, rows of the keyboard, years and other digits, the commonest
 * words, the person's own name and address, and the name of the product, in any order, with however few characters of something else between. `own`: what
 * the person is called.
 */
export function isCommonPassword(password: string, own: string[] = []): boolean {
  const plain = password
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}$@!]/gu, '');
  const mine = new Set([brand.name, ...own].flatMap(partsOf));
  return [plain, Array.from(plain, (letter) => stands[letter] ?? letter).join('')].some((text) => isMadeOf(text, mine));
}

/** Refuses `password_common`, beside the field. `person`: whose password it is to be. */
export function refuseCommon(password: string, person: { name: string; email: string } = { name: '', email: '' }): void {
  if (!isCommonPassword(password, [person.name, person.email])) return;
  fail('password_common', { fields: [{ field: 'Password', tag: 'it is too easy to guess' }] });
}

/** A name and an address in the parts that a password would be made of; short ones would be found in anything. */
function partsOf(words: string): string[] {
  return words
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3);
}

/** Whether hardly anything is left once everything that is tried first is taken out: a repeat adds nothing. */
function isMadeOf(text: string, mine: Set<string>): boolean {
  let left = text;
  let words = 0;
  for (const word of [...mine, ...commonWords].sort((a, b) => b.length - a.length)) {
    if (word.length < 3 || !left.includes(word)) continue;
    left = left.replaceAll(word, ' ');
    if (!mine.has(word) && word.length >= enough_words.letters) words += 1;
  }
  if (words >= enough_words.count) return false;
  const mostlyRuns = withoutRuns(left, 3);
  // Three keys beside one another stand in any random password.
  left = lengthOf(mostlyRuns) > text.length / 3 ? withoutRuns(left, 4) : mostlyRuns;
  // Digits are what is put behind a word; where little is known of the rest they are somebody's own.
  const random = lengthOf(left) > text.length / 2 && /\p{L}/u.test(text);
  left = left.replace(random ? /[$@!]+/g : /[\d$@!]+/g, ' ').replace(/(.{1,6}?)\1+/gu, '$1');
  return new Set(left.replaceAll(' ', '')).size < own_characters;
}

const lengthOf = (left: string) => left.replaceAll(' ', '').length;

/** `least`: of so many keys is a run. */
function withoutRuns(text: string, least: number): string {
  let kept = '';
  for (let at = 0; at < text.length; ) {
    let length = 0;
    while (at + length < text.length && length < 40 && runs.some((run) => run.includes(text.slice(at, at + length + 1)))) length += 1;
    kept += length >= least ? ' ' : text.slice(at, at + 1);
    at += length >= least ? length : 1;
  }
  return kept;
}
