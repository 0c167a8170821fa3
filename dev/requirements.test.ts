import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

const tests = filesBelow('.', /\.(test|spec|e2e)\.tsx?$/).filter((file) => file !== 'dev/requirements.test.ts');
const page = readFileSync(join(root, 'docs', 'requirements.md'), 'utf8');
const lines = [...page.matchAll(/^- `(P?\d+\.\d+)` (.+)$/gm)].map(([, id = '', words = '']) => ({ id, words }));

/** The requirements in test titles, such as `test('[2.72, P3.5] the share screen …')`. */
function claims(source: string): string[] {
  const texts = source.match(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\\n])*`/g) ?? [];
  return texts.flatMap((text) =>
    [...text.matchAll(/\[((?:P?\d+\.\d+)(?:,\s*P?\d+\.\d+)*)\]/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
  );
}

const claimedTexts = new Map<string, string>();
for (const file of tests) for (const id of claims(readFileSync(join(root, file), 'utf8'))) claimedTexts.set(id, file);

test('the search for requirements finds the tests and the page of requirements', () => {
  expect(tests.length).toBeGreaterThan(3);
  expect(lines.length).toBeGreaterThan(2);
  expect(claimedTexts.size).toBeGreaterThan(2);
});

test('every requirement named in a test title is on the requirements page, once and with a text', () => {
  const requirementIds = lines.map(({ id }) => id);
  expect(
    [...claimedTexts]
      .filter(([id]) => !requirementIds.includes(id))
      .map(([id, file]) => `${id} (${file}) has no line in docs/requirements.md`),
  ).toEqual([]);
  expect(requirementIds.filter((id, i) => requirementIds.indexOf(id) !== i)).toEqual([]);
  expect(lines.filter(({ words }) => words.length < 15)).toEqual([]);
});

test('every requirement on the requirements page is named in a test title', () => {
  expect(lines.filter(({ id }) => !claimedTexts.has(id)).map(({ id }) => `no test claims ${id}`)).toEqual([]);
});

test('requirement numbers are read from test titles only', () => {
  expect(claims(`test('[2.72, P3.5] x', () => [1.5]); it("y [4.2]")`)).toEqual(['2.72', 'P3.5', '4.2']);
});
