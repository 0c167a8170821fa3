import { expect, test } from 'vitest';
import { draw, mutantsOf, mutated } from './mutants.ts';

const mutatedSources = (source: string) => mutantsOf(source).map((mutant) => mutated(source, mutant));

test('mutants of a database query drop each of its clauses and change each comparison', () => {
  expect(mutatedSources(`const q = db.deleteFrom('a').where('account', '=', x).where('uuid', '<', y).execute();`)).toEqual([
    `const q = db.deleteFrom('a').where('uuid', '<', y).execute();`,
    `const q = db.deleteFrom('a').where('account', '!=', x).where('uuid', '<', y).execute();`,
    `const q = db.deleteFrom('a').where('account', '=', x).execute();`,
    `const q = db.deleteFrom('a').where('account', '=', x).where('uuid', '<=', y).execute();`,
  ]);
});

test('conditions, default values, numbers and statements have mutants; types have no mutants', () => {
  expect(mutatedSources('if (a === b) f();')).toEqual(['if (!(a === b)) f();', 'if (a !== b) f();', 'if (a === b) ;']);
  expect(mutatedSources('const a = b ?? 1;')).toEqual(['const a = (b);', 'const a = b ?? (2);']);
  expect(mutatedSources('const a = b ? 1 : c;')).toEqual(['const a = b ? (c) : (1);', 'const a = b ? (2) : c;']);
  expect(mutatedSources('type A = 1 | true; interface B { c: 2 }')).toEqual([]);
});

test('each mutant of a source file differs from it and still parses', () => {
  const source = 'export const f = async (a: number) => { await g(a < 2 && !h); return a > 1 ? true : a - 1; };';
  const sources = mutatedSources(source);
  expect(sources.length).toBeGreaterThanOrEqual(10);
  expect(new Set(sources).size).toBe(sources.length);
  for (const mutatedSource of sources) {
    expect(mutatedSource).not.toBe(source);
    expect(() => mutantsOf(mutatedSource)).not.toThrow();
  }
});

test('a seed always draws the same mutants, another seed draws different mutants, and no mutant is drawn twice', () => {
  const numbers = Array.from({ length: 100 }, (_, i) => i);
  expect(draw(numbers, 10, 7)).toEqual(draw(numbers, 10, 7));
  expect(draw(numbers, 10, 8)).not.toEqual(draw(numbers, 10, 7));
  expect(new Set(draw(numbers, 200, 7)).size).toBe(100);
});
