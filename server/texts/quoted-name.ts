import { brand } from '@porchlight/contract/brand.ts';
import { hidesItself, looksLikeAddress } from '@porchlight/contract/shapes.ts';

/** Whose name a message quotes. */
export type Named = 'holder' | 'guardian' | 'person' | 'device' | 'profile' | 'program';

/** What a message says where it may not quote the name. Empty: nobody is named. */
const instead: Record<Named, string> = {
  holder: 'the account’s owner',
  guardian: 'a guardian',
  person: '',
  device: 'a computer',
  profile: 'a profile',
  program: 'a program',
};

const quoted_max = 30;

const wholeWord = (words: string[]) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
/** Whom a caller says to be. A program may be called so: it is what was found. */
const offices = ['support', 'police', 'sheriff', 'fbi', 'irs', 'helpdesk', 'help desk', 'fraud department', 'social security'];
const ofThings = wholeWord([brand.name, ...offices]);
/** A computer may have a maker's name, and a person not. */
const ofPeople = wholeWord([brand.name, ...offices, 'bank', 'security', 'microsoft', 'apple', 'google', 'amazon', 'paypal', 'medicare']);
const speaksForOthers: Record<Named, RegExp | null> = {
  ...{ holder: ofPeople, guardian: ofPeople, person: ofPeople },
  ...{ device: ofThings, profile: ofThings, program: null },
};

/** At the end of a program's name; those that are also the end of a website's are not here. */
const fileEnding = /\.(exe|msi|dmg|pkg|deb|rpm|bat|cmd|ps1|js|vbs|vbe|jse|wsf|hta|scr|jar|iso|img|lnk|apk|dll|appimage|command|bin|run)$/i;

/** Seven digits, with anything but graphemes between them. */
const looksLikePhone = (name: string) => /\p{N}([^\p{L}\p{N}]*\p{N}){6}/u.test(name.normalize('NFKC'));

/**
 * A name as a message of ours quotes it (P18.1): visible characters on one line, without direction marks, at most 30; and instead of a link,
 * an address, a phone number or somebody's authority only what it is.
 */
export function quotedName(name: string, named: Named): string {
  const visible = name
    .replace(/[\p{Z}\s]+/gu, ' ')
    // Two marks within words and emoji change nothing around them.
    .replace(/[\p{C}\u115f\u1160\u3164]/gu, (mark) => (mark === '\u200c' || mark === '\u200d' ? mark : ''))
    .trim();
  if (!visible || hidesItself(visible)) return instead[named];
  const shown = named === 'program' ? visible.replace(fileEnding, '') : visible;
  if (looksLikeAddress(shown) || looksLikePhone(shown)) return instead[named];
  if (speaksForOthers[named]?.test(visible.normalize('NFKC'))) return instead[named];
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(visible)].map(({ segment }) => segment);
  return graphemes.length > quoted_max
    ? `${graphemes
        .slice(0, quoted_max - 1)
        .join('')
        .trimEnd()}…`
    : visible;
}

const beginsSentence = new RegExp(`(^|[.!?:] )(${Object.values(instead).filter(Boolean).join('|')})(?![\\p{L}])`, 'gu');
/** The text with a capital letter where what stands for a name begins a sentence. */
export const withCapitals = (text: string): string =>
  text.replace(beginsSentence, (_all, end: string, words: string) => `${end}${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`);
