import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';

const page = readFileSync(join(root, 'docs', 'threat-model.md'), 'utf8');
const [today = '', later = ''] = page.slice(page.indexOf('## The caller')).split('## Promises that are not kept yet');
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| ') && !/^\| (---|We promise|Promise) /.test(line));
const namedTests = (row: string) =>
  [...row.matchAll(/`([a-z][\w./-]+\.(?:test|e2e)\.ts)`(?: \*([^*]+)\*)?/g)].map(([, file = '', title]) => ({ file, title }));

test('each promise of today names a test', () => {
  expect(rowsOf(today).length).toBeGreaterThan(50);
  expect(rowsOf(today).filter((row) => namedTests(row).length === 0)).toEqual([]);
});

test.each(rowsOf(today).flatMap(namedTests))('$file is there and has the title that the page quotes', ({ file, title }) => {
  expect(existsSync(join(root, file)), file).toBe(true);
  if (title) expect(readFileSync(join(root, file), 'utf8')).toContain(title.trim());
});

test('each decision of P15 to P18 has a row with a test, or one among the later ones', () => {
  const decided = [...range('P15', 10), ...range('P16', 7), ...range('P17', 6), ...range('P18', 3)];
  const spans = [...later.matchAll(/P(\d+)\.(\d+) to P\d+\.(\d+)/g)].flatMap(([, part, from, to]) =>
    range(`P${part}`, Number(to)).slice(Number(from) - 1),
  );
  const named = new Set([...spans, ...(`${today}${later}`.match(/P\d+\.\d+/g) ?? [])]);
  expect(decided.filter((one) => !named.has(one))).toEqual([]);
});

const range = (part: string, length: number) => Array.from({ length }, (_, n) => `${part}.${n + 1}`);
