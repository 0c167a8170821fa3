import { expect, test } from 'vitest';
import { describeRun, notAlwaysGreen, type SuiteRun } from './flaky.ts';

const part = { title: 'The screens' };

function suiteRun(underLoad: boolean, failed: Record<string, string>, broken: string[] = []): SuiteRun {
  const failures = Object.entries(failed).map(([title, message]) => `e2e/a.e2e.ts › ${title}\n    ${message}`);
  const tally = { passed: 3, skipped: 1, failures: [...failures, ...broken], flaky: [] };
  return { underLoad, minutes: 12.34, results: [{ part, tally }] };
}

test('each test that failed in one of the runs is named once, with how often it failed and its first message', () => {
  const runs = [
    suiteRun(false, {}),
    suiteRun(false, { 'a link opens': 'no link\n    at line 5' }),
    suiteRun(true, { 'a link opens': 'no link', 'a phone rings': 'silence' }),
  ];
  expect(notAlwaysGreen(runs)).toEqual([
    'e2e/a.e2e.ts › a link opens (The screens): failed in 1 quiet runs and 1 beside a load: no link',
    'e2e/a.e2e.ts › a phone rings (The screens): failed in 0 quiet runs and 1 beside a load: silence',
  ]);
});

test('a part that broke outside of its tests is named, and runs that were green are not', () => {
  expect(notAlwaysGreen([suiteRun(false, {}), suiteRun(true, {})])).toEqual([]);
  expect(notAlwaysGreen([suiteRun(true, {}, ['playwright ran no test at all.'])])).toEqual([
    'playwright ran no test at all. (The screens): failed in 0 quiet runs and 1 beside a load',
  ]);
});

test('a run is described with its sums, its time and its load', () => {
  expect(describeRun(2, suiteRun(true, { 'a link opens': 'no link' }))).toBe(
    'run 2, beside a load: 3 passed, 1 failed, 1 skipped, in 12.3 minutes',
  );
});
