import { expect, test } from 'vitest';
import { draw, mutantsOf, mutated } from './mutants.ts';

const all = (source: string) => mutantsOf(source).map((mutant) => mutated(source, mutant));

test('a query loses each of its clauses, and each comparison is another one', () => {
  expect(all(`const q = db.deleteFrom('a').where('account', '=', x).where('uuid', '<', y).execute();`)).toEqual([
    `const q = db.deleteFrom('a').where('uuid', '<', y).execute();`,
    `const q = db.deleteFrom('a').where('account', '!=', x).where('uuid', '<', y).execute();`,
    `const q = db.deleteFrom('a').where('account', '=', x).execute();`,
    `const q = db.deleteFrom('a').where('account', '=', x).where('uuid', '<=', y).execute();`,
  ]);
});

test('a condition, a default, a number and a statement each have their mutant, and a type has none', () => {
  expect(all('if (a === b) f();')).toEqual(['if (!(a === b)) f();', 'if (a !== b) f();', 'if (a === b) ;']);
  expect(all('const a = b ?? 1;')).toEqual(['const a = (b);', 'const a = b ?? (2);']);
  expect(all('const a = b ? 1 : c;')).toEqual(['const a = b ? (c) : (1);', 'const a = b ? (2) : c;']);
  expect(all('type A = 1 | true; interface B { c: 2 }')).toEqual([]);
});

test('each mutant is another program that still parses', () => {
  const source = 'export const f = async (a: number) => { await g(a < 2 && !h); return a > 1 ? true : a - 1; };';
  const found = all(source);
  expect(found.length).toBeGreaterThanOrEqual(10);
  expect(new Set(found).size).toBe(found.length);
  for (const one of found) {
    expect(one).not.toBe(source);
    expect(() => mutantsOf(one)).not.toThrow();
  }
});

test('the same seed draws the same ones, another seed others, and none is drawn twice', () => {
  const numbers = Array.from({ length: 100 }, (_, i) => i);
  expect(draw(numbers, 10, 7)).toEqual(draw(numbers, 10, 7));
  expect(draw(numbers, 10, 8)).not.toEqual(draw(numbers, 10, 7));
  expect(new Set(draw(numbers, 200, 7)).size).toBe(100);
});
