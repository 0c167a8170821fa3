import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

const tests = filesBelow('.', /\.(test|spec|e2e)\.tsx?$/).filter((file) => file !== 'dev/requirements.test.ts');
const page = readFileSync(join(root, 'docs', 'requirements.md'), 'utf8');
const lines = [...page.matchAll(/^- `(P?\d+\.\d+)` (.+)$/gm)].map(([, id = '', words = '']) => ({ id, words }));

/** A claim is an id, or several with commas, in square brackets inside a text: `test('[2.72, P3.5] the share screen …')`. */
function claims(source: string): string[] {
  const texts = source.match(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\\n])*`/g) ?? [];
  return texts.flatMap((text) =>
    [...text.matchAll(/\[((?:P?\d+\.\d+)(?:,\s*P?\d+\.\d+)*)\]/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
  );
}

const claimed = new Map<string, string>();
for (const file of tests) for (const id of claims(readFileSync(join(root, file), 'utf8'))) claimed.set(id, file);

test('tests and the page of requirements were found', () => {
  expect(tests.length).toBeGreaterThan(3);
  expect(lines.length).toBeGreaterThan(2);
  expect(claimed.size).toBeGreaterThan(2);
});

test('every requirement that a test claims stands on the page, once and in words', () => {
  const ids = lines.map(({ id }) => id);
  expect(
    [...claimed].filter(([id]) => !ids.includes(id)).map(([id, file]) => `${id} (${file}) has no line in docs/requirements.md`),
  ).toEqual([]);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  expect(lines.filter(({ words }) => words.length < 15)).toEqual([]);
});

test('every requirement on the page is claimed by a test', () => {
  expect(lines.filter(({ id }) => !claimed.has(id)).map(({ id }) => `no test claims ${id}`)).toEqual([]);
});

test('claims are read from titles only', () => {
  expect(claims(`test('[2.72, P3.5] x', () => [1.5]); it("y [4.2]")`)).toEqual(['2.72', 'P3.5', '4.2']);
});
