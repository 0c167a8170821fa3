import { expect, test } from 'vitest';
import { patternsIn, slowPatterns, slowShape } from './linear-patterns.ts';

test.each([/^\s*XDG_DOWNLOAD_DIR="(.*)"\s*$/m, /\s+%[a-zA-Z](?=\s|$)/g, /^(a+)+$/, /\/+$/, /(\.(exe|msi))+$/])(
  'the check of regular expressions finds a slow one: %s',
  (pattern) => {
    expect(slowShape(pattern)).not.toBeNull();
  },
);

test.each([
  /^XDG_([A-Z]+)_DIR="(.*)"$/,
  /(?<!\s)\s+%[a-zA-Z](?=\s|$)/g,
  /(?<![\s-])[\s-]*(?:(?:version|ver\.?|v)\s*)?$/,
  /^(?:ab|cd)+$/,
  /(?<!\/)\/+$/,
  /(?<!\.(?:exe|msi))(?:\.(?:exe|msi))+$/,
  /\s+/g,
  /[\da-f]{8}-[\da-f]{4}/i,
])('the check of regular expressions accepts a linear one: %s', (pattern) => {
  expect(slowShape(pattern)).toBeNull();
});

test('the check of regular expressions reads literals and constant texts, and names the file and line of a slow one', () => {
  const source = ['const one = /a/;', "const two = new RegExp('b+', 'g');", 'const three = new RegExp(String.raw`\\s+$`);'].join('\n');
  expect(patternsIn('x.ts', source).map(({ line, pattern }) => [line, pattern])).toEqual([
    [1, /a/],
    [2, /b+/g],
    [3, /\s+$/],
  ]);
  const { wrong, checked } = slowPatterns(['x.ts'], () => source);
  expect([wrong.length, checked, wrong[0]]).toEqual([1, 3, expect.stringMatching(/^x\.ts:3: /)]);
});

test('the check of regular expressions accepts one whose text is bounded for a reason', () => {
  expect(slowPatterns(['agent/dns-filter/verdict.ts'], () => 'x = /[a-z0-9_.-]*$/;')).toEqual({ wrong: [], checked: 1 });
});
