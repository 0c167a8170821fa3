import { domainToASCII, domainToUnicode } from 'node:url';

/** `0440 ;	0070 ;	MA	# …`: a code point and what it resembles. */
const row = /^\uFEFF?([0-9A-F]{4,6}) ;\s*((?:[0-9A-F]{4,6} ?)+);\s*MA\b/gm;

const fromHex = (hex: string) => String.fromCodePoint(Number.parseInt(hex, 16));

/** Names cannot have capitals, and most other spellings of a letter become that letter before anybody asks for the name. */
const staysInNames = (character: string) => domainToUnicode(domainToASCII(`a${character}a.com`)) === `a${character}a.com`;

/** Without marks and in lower case: names have no capital I, and in a narrow font an accent is hardly seen. */
export const plainText = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

/** Small capitals, by which Unicode names some letters: `т` resembles `ᴛ`. They are no plain letters to Unicode, and to the eye they are. */
const smallCapitals: Record<string, string> = { ʙ: 'b', ʜ: 'h', ᴋ: 'k', ĸ: 'k', ᴍ: 'm', ᴛ: 't' };

/** Reads Unicode's `confusables.txt` (UTS 39). Only what a name of a site can have, and what resembles Latin letters or digits. */
export function skeletonsFrom(confusables: string): Record<string, string> {
  const skeletons: Record<string, string> = {};
  for (const [, source = '', target = ''] of confusables.matchAll(row)) {
    const character = fromHex(source);
    const shown = target.trim().split(' ').map(fromHex).join('');
    const resembles = smallCapitals[shown] ?? plainText(shown);
    if (character <= '\u007f' || !/^[a-z0-9]{1,3}$/.test(resembles) || plainText(character) === resembles || !staysInNames(character))
      continue;
    skeletons[resembles] = `${skeletons[resembles] ?? ''}${character}`;
  }
  return Object.fromEntries(Object.entries(skeletons).sort(([a], [b]) => (a < b ? -1 : 1)));
}
