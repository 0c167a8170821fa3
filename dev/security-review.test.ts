import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';

const page = readFileSync(join(root, 'docs', 'security-review.md'), 'utf8');
const namedTests = [...page.matchAll(/`([a-z][\w./-]+\.(?:test|e2e)\.ts)`(?: \*([^*…]+)…?\*)?/g)].map(([, file = '', title]) => ({
  file,
  title,
}));

test('the page of the security review names tests for every finding', () => {
  expect([...page.matchAll(/^## (A\d+)\./gm)].map(([, id]) => id)).toEqual(Array.from({ length: 12 }, (_, i) => `A${i + 1}`));
  expect(namedTests.length).toBeGreaterThan(30);
});

test.each(namedTests)('$file exists and contains the title that the page quotes', ({ file, title }) => {
  expect(existsSync(join(root, file)), file).toBe(true);
  if (title) expect(readFileSync(join(root, file), 'utf8')).toContain(title.trim());
});
