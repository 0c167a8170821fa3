import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { root } from '@porchlight/dev/root.ts';
import { ways } from './coached/ways.ts';
import { test } from './lib/test.ts';

const page = readFileSync(join(root, 'docs', 'what-it-stops.md'), 'utf8');
const [scamTable = '', offTable = ''] = page.split('## Ways to switch it off');

/** Titles of the drill in a row, with the four answers where the row has them. */
function titlesIn(row: string): string[] {
  return [...row.matchAll(/`([^`]+)`( and four answers)?/g)].flatMap(([, title = '', answers]) =>
    answers
      ? [title, ...ways.filter((way) => way.title.startsWith(`${title}; then the victim presses Allow, and `)).map((way) => way.title)]
      : [title],
  );
}

test('each way of a real scam is in the row of its scam, and no row names a way that the drill does not have', () => {
  const rows = [...scamTable.matchAll(/^\| (\d+) \|.*$/gm)].map(([row, flow]) => ({ flow: Number(flow), titles: titlesIn(row) }));
  const named = rows.flatMap(({ flow, titles }) => titles.map((title) => `${flow}. ${title}`));
  const existing = ways.flatMap(({ flow, title }) => (flow === null ? [] : [`${flow}. ${title}`]));
  expect(rows.map(({ flow }) => flow)).toEqual(Array.from({ length: 34 }, (_, n) => n + 1));
  expect(named.toSorted()).toEqual(existing.toSorted());
});

test('a row says of each outcome of its ways that there is one', () => {
  for (const [row, flow] of scamTable.matchAll(/^\| (\d+) \|.*$/gm)) {
    const outcomes = new Set(ways.filter((way) => way.flow === Number(flow)).map(({ outcome }) => outcome));
    const claimed = (row.split(' | ')[2] ?? '').split(', ');
    for (const outcome of outcomes) expect(claimed, `row ${flow}`).toContain(outcome);
  }
});

test('each way to switch the protection off is a row with its outcome', () => {
  const rows = [...offTable.matchAll(/^\| (.+) \| (stopped|held|reported|missed) \|$/gm)].map(
    ([, title, outcome]) => `${title}: ${outcome}`,
  );
  const existing = ways.flatMap(({ flow, title, outcome }) => (flow === null ? [`${title}: ${outcome}`] : []));
  expect(rows.toSorted()).toEqual(existing.toSorted());
});

test('titles are unique', () => {
  expect(new Set(ways.map(({ title }) => title)).size).toBe(ways.length);
});
