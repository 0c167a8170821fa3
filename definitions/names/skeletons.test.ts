import { expect, test } from 'vitest';
import shipped from './skeletons.json' with { type: 'json' };
import { skeletonsFrom } from './skeletons.ts';

const rows = `\uFEFF# confusables.txt
# Version: 17.0.0
0430 ;\t0061 ;\tMA\t# ( а → a ) CYRILLIC SMALL LETTER A → LATIN SMALL LETTER A\t#
0442 ;\t1D1B ;\tMA\t# ( т → ᴛ ) CYRILLIC SMALL LETTER TE → LATIN LETTER SMALL CAPITAL T\t#
0153 ;\t006F 0065 ;\tMA\t# ( œ → oe ) LATIN SMALL LIGATURE OE → LATIN SMALL LETTER O, LATIN SMALL LETTER E\t#
FF41 ;\t0061 ;\tMA\t# ( ａ → a ) FULLWIDTH LATIN SMALL LETTER A → LATIN SMALL LETTER A\t#
006D ;\t0072 006E ;\tMA\t# ( m → rn ) LATIN SMALL LETTER M → LATIN SMALL LETTER R, LATIN SMALL LETTER N\t#
05AD ;\t0596 ;\tMA\t# ( ֭ → ֖ ) HEBREW ACCENT DEHI → HEBREW ACCENT TIPEHA\t#
`;

test('[P16.2] the table has what resembles Latin letters, and neither plain letters, what no name can have, nor what resembles others', () => {
  expect(skeletonsFrom(rows)).toEqual({ a: 'а', oe: 'œ', t: 'т' });
});

test('the table that ships has the Cyrillic and Greek letters of known tricks', () => {
  const latin = Object.entries(shipped.skeletons).flatMap(([plain, alike]) =>
    Array.from(alike, (character) => [character, plain] as const),
  );
  const table = new Map(latin);
  expect(Array.from('аеорсухіјѕԁһӏωνα', (character) => table.get(character) ?? '?').join('')).toBe('aeopcyxijsdhl?va');
});
