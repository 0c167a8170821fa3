import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCatalogue } from '../catalogue.ts';
import { indexPatterns } from './pattern-index.ts';
import { matchesPattern, readPattern } from './patterns.ts';

const texts = readCatalogue().flatMap(({ site_patterns }) => site_patterns);

test('the pattern index finds the same patterns, in the same order, as comparing every pattern with the host', () => {
  // Includes patterns that are too short for the index.
  const patterns = [...texts, '**.*ab*.com', '*-x.top', '**.a*b*c.org'].map((text) => ({ pattern: readPattern(text) }));
  const find = indexPatterns(patterns);
  const filling = fc.stringMatching(/^[a-z0-9-]{0,6}$/);
  const matchingHost = fc
    .tuple(fc.constantFrom(...patterns), fc.array(filling, { minLength: 12, maxLength: 12 }), fc.constantFrom('', 'www.', 'a.b.', 'x'))
    .map(([{ pattern }, fillings, prefix]) => {
      let fillingIndex = 0;
      return prefix + pattern.labels.join('.').replaceAll('*', () => fillings[fillingIndex++] ?? '');
    });
  const anyHost = fc.array(fc.stringMatching(/^[a-z0-9-]{1,12}$/), { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  let matched = 0;
  fc.assert(
    fc.property(fc.oneof(matchingHost, anyHost), (host) => {
      const expected = patterns.filter(({ pattern }) => matchesPattern(host.split('.'), pattern));
      matched += expected.length;
      expect(find(host)).toEqual(expected);
    }),
    { numRuns: 3000 },
  );
  expect(matched).toBeGreaterThan(1000);
});

test('the pattern index finds every pattern of the catalogue for a matching host', () => {
  const find = indexPatterns(texts.map((text) => ({ pattern: readPattern(text) })));
  for (const text of texts) {
    const host = readPattern(text).labels.join('.').replaceAll('*', 'q');
    expect(find(host).map(({ pattern }) => pattern.text)).toContain(text);
  }
});
