import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFiles } from './agent-files.ts';
import { root } from './root.ts';
import { readSelection } from './test-selection.ts';
import { projectsOf } from './vitest-projects.ts';
import { filesBelow } from './walk.ts';

const emptySelection = { tier: 'fast', files: null, changed: null, title: null, plan: false, map: false, install: true, strict: false };

test('npm test without a path selects the fast tests, and with --all every test', () => {
  expect(readSelection(['--all'], root)).toEqual({ ...emptySelection, tier: 'whole' });
  expect(readSelection(['--all', '--map'], root)).toEqual({ ...emptySelection, tier: 'whole', map: true });
  expect(readSelection([], root)).toEqual(emptySelection);
  expect(readSelection(['--plan', '--no-install'], root)).toEqual({ ...emptySelection, plan: true, install: false });
});

test('npm test with --strict tries no failed test again', () => {
  expect(readSelection(['--strict'], root)).toEqual({ ...emptySelection, strict: true });
});

test('npm test with a path selects one file, relative to the root or to the current folder, for its test runner', () => {
  expect(readSelection(['contract/names.test.ts'], root).files?.vitest).toEqual(['contract/names.test.ts']);
  expect(readSelection(['names.test.ts'], join(root, 'contract')).files?.vitest).toEqual(['contract/names.test.ts']);
  expect(readSelection(['contract/names.test.ts'], join(root, 'dev')).files?.vitest).toEqual(['contract/names.test.ts']);
  expect(readSelection(['e2e/story.e2e.ts', '-t', 'the story'], root)).toEqual({
    ...emptySelection,
    files: { vitest: [], playwright: ['e2e/story.e2e.ts'] },
    title: 'the story',
  });
});

test('npm test with a folder selects every test below it, each once', () => {
  const { vitest = [], playwright } = readSelection(['contract', 'contract/names.test.ts', 'e2e'], root).files ?? {};
  expect(vitest).toEqual(expect.arrayContaining(['contract/names.test.ts', 'contract/websites.test.ts']));
  expect(new Set(vitest).size).toBe(vitest.length);
  expect(playwright).toContain('e2e/story.e2e.ts');
});

test('a named file is looked for in every project of its folder', () => {
  expect(projectsOf(['agent/a.test.ts', 'agent/b.test.ts'])).toEqual(['agent', 'agent-own-process', 'agent-on-host']);
});

test('npm test with a path that is no test is refused with a list of the tests next to it', () => {
  expect(() => readSelection(['contract/nowhere.test.ts'], root)).toThrow('There is no contract/nowhere.test.ts.');
  expect(() => readSelection(['contract/names.ts'], root)).toThrow(
    /^contract\/names.ts is no test. Tests beside it: .*contract\/names.test.ts/,
  );
  expect(() => readSelection(['docs'], root)).toThrow('There is no test in docs.');
  expect(() => readSelection(['--wtach'], root)).toThrow("'--wtach'");
});

test.each([
  [['--changed'], 'main'],
  [['--changed', 'HEAD~3'], 'HEAD~3'],
  [['--changed=v1'], 'v1'],
  [['--changed', '--strict'], 'main'],
])('npm test %j selects what differs from %s', (args, base) => {
  expect(readSelection(args, root)).toMatchObject({ changed: base, files: null });
});

test.each([
  [['--all', 'contract'], '--all runs every test: leave out the paths.'],
  [['--changed', '--all'], '--changed chooses the tests: leave out --all and paths.'],
  [['--map'], 'Only a run of every test writes the map: npm test -- --all --map'],
  [['-t', 'x'], 'Name a file or a folder beside -t.'],
])('npm test refuses %j, and says what to leave out', (args, sentence) => {
  expect(() => readSelection(args, root)).toThrow(sentence);
});

test('every journey that starts an agent is among those that have the loopback port for themselves, and no other with a similar name', () => {
  const journeys = filesBelow('e2e', /\.e2e\.ts$/);
  const starting = journeys.filter((file) => readFileSync(join(root, file), 'utf8').includes('agent: true'));
  expect(starting).toContain('e2e/held-request-story.e2e.ts');
  expect(starting.filter((file) => !agentFiles.test(file))).toEqual([]);
  expect(['e2e/guardian-story.e2e.ts', 'e2e/history.e2e.ts'].filter((file) => !journeys.includes(file) || agentFiles.test(file))).toEqual(
    [],
  );
});
