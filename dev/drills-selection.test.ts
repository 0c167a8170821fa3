import { expect, test } from 'vitest';
import { type Drill, listOf, minutesOf, nightMinutes, readDrills, selectDrills, sumOf } from './drills-selection.ts';

const drill = (name: string, minutes: number): Drill => ({ name, file: `dev/drills/${name}.drill.ts`, minutes });
const drills = [drill('flaky', 240), drill('kill-agent', 40), drill('kill-server', 5), drill('names', 45), drill('storm', 2)];

/** The columns: what is typed, and the drills that run, in their order. */
test.each<[string, string[], string[]]>([
  ['nothing runs without an argument', [], []],
  ['a name runs the drill that has it', ['storm'], ['storm']],
  ['a part of a name runs all that have it', ['kill'], ['kill-agent', 'kill-server']],
  ['two names run both, in the order of the list', ['storm', 'names'], ['names', 'storm']],
  ['--all runs all, in the order of the list', ['--all'], ['flaky', 'kill-agent', 'kill-server', 'names', 'storm']],
  ['--nightly runs the shortest first, while they fit into the night', ['--nightly'], ['storm', 'kill-server', 'kill-agent']],
])('npm run drills: %s', (_, args, run) => {
  const { problem, ...selection } = selectDrills(args, drills);
  expect(problem).toBeNull();
  expect(selection.run.map(({ name }) => name)).toEqual(run);
  expect(selection.leftOut.length).toBe(args[0] === '--nightly' ? drills.length - run.length : 0);
});

test('a drill that does not fit into the night is named, with how long it takes and how much was left', () => {
  expect(selectDrills(['--nightly'], drills).leftOut).toEqual([
    'names is left out: it takes about 45 minutes, and 43 of 90 are left.',
    'flaky is left out: it takes about 4 hours, and 43 of 90 are left.',
  ]);
});

test('a night may be used to its last minute', () => {
  const exact = [drill('a', 30), drill('b', 60), drill('c', 61)];
  expect(selectDrills(['--nightly'], exact).run.map(({ name }) => name)).toEqual(['a', 'b']);
});

test.each<[string[], string]>([
  [['nonsense', 'storm', 'more'], 'There is no drill called nonsense or more.'],
  [['--nighly'], 'npm run drills does not know --nighly.'],
  [['--all', 'storm'], 'Say --all, or --nightly, or names of drills, and not two of them.'],
  [['--all', '--nightly'], 'Say --all, or --nightly, or names of drills, and not two of them.'],
])('npm run drills %j is refused, and nothing runs', (args, problem) => {
  expect(selectDrills(args, drills)).toEqual({ run: [], leftOut: [], problem });
});

test('a drill that does not say how long it takes is an error that names its file and what to write', () => {
  expect(minutesOf('x', "import a from 'a';\n\nexport const minutes = 1.5;\n")).toBe(1.5);
  expect(() => minutesOf('dev/drills/x.drill.ts', 'const minutes = 3;\n')).toThrow(
    'dev/drills/x.drill.ts does not say how long it takes, so no night can be planned with it. Write: export const minutes = 5;',
  );
});

test('each drill says how long it takes, and a night holds most of them', () => {
  const all = readDrills();
  expect(all.length).toBeGreaterThan(25);
  const { run } = selectDrills(['--nightly'], all);
  expect(run.length).toBeGreaterThan(all.length / 2);
  expect(sumOf(run)).toBeLessThanOrEqual(nightMinutes);
});

test('the list names each drill with its time, and says that nothing has run', () => {
  const list = listOf(drills);
  expect(list).toContain('  storm        about 2 minutes\n');
  expect(list).toContain('  flaky        about 4 hours\n');
  expect(list).toContain('5 drills, about 6 hours together');
  expect(list).toContain('Nothing has run');
});
