import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCatalogue } from '../catalogue.ts';
import { indexPatterns } from './pattern-index.ts';
import { matchesPattern, readPattern } from './patterns.ts';

const texts = readCatalogue().flatMap(({ site_patterns }) => site_patterns);

test('finds for any host what comparing every pattern with it finds, in the same order', () => {
  // With some that are too short to be led to.
  const all = [...texts, '**.*ab*.com', '*-x.top', '**.a*b*c.org'].map((text) => ({ pattern: readPattern(text) }));
  const find = indexPatterns(all);
  const filling = fc.stringMatching(/^[a-z0-9-]{0,6}$/);
  const like = fc
    .tuple(fc.constantFrom(...all), fc.array(filling, { minLength: 12, maxLength: 12 }), fc.constantFrom('', 'www.', 'a.b.', 'x'))
    .map(([{ pattern }, fillings, before]) => {
      let next = 0;
      return before + pattern.labels.join('.').replaceAll('*', () => fillings[next++] ?? '');
    });
  const any = fc.array(fc.stringMatching(/^[a-z0-9-]{1,12}$/), { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  let matched = 0;
  fc.assert(
    fc.property(fc.oneof(like, any), (host) => {
      const expected = all.filter(({ pattern }) => matchesPattern(host.split('.'), pattern));
      matched += expected.length;
      expect(find(host)).toEqual(expected);
    }),
    { numRuns: 3000 },
  );
  expect(matched).toBeGreaterThan(1000);
});

test('every pattern of the catalogue is found by a host that it means', () => {
  const find = indexPatterns(texts.map((text) => ({ pattern: readPattern(text) })));
  for (const text of texts) {
    const host = readPattern(text).labels.join('.').replaceAll('*', 'q');
    expect(find(host).map(({ pattern }) => pattern.text)).toContain(text);
  }
});
