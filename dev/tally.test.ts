import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';
import { checkedTally, emptyTally, failuresOf, sumsOf, type Tally, tallyOfPlaywright, tallyOfVitest } from './tally.ts';

const longMessage = Array.from({ length: 40 }, (_, line) => `\u001b[31mline ${line}\u001b[39m`).join('\n');
const vitestReport = {
  testResults: [
    {
      name: join(root, 'server/a.test.ts'),
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'one' },
        { status: 'failed', fullName: 'two', failureMessages: [longMessage] },
        { status: 'pending', fullName: 'skipped here' },
        { status: 'todo', fullName: 'later' },
      ],
    },
    { name: join(root, 'server/b.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
  ],
};
const outcome = (status: string, message?: string) => [{ status, results: [message ? { error: { message } } : {}] }];
const playwrightReport = {
  errors: [{ message: 'a worker was lost' }],
  suites: [
    {
      file: 'c.e2e.ts',
      specs: [
        { title: 'three', tests: outcome('expected') },
        { title: 'on retry', tests: outcome('flaky', 'too late') },
        { title: 'not here', tests: outcome('skipped') },
      ],
      suites: [{ file: 'c.e2e.ts', specs: [{ title: 'four', tests: outcome('unexpected', 'not visible') }] }],
    },
  ],
};
const tally = (passed: number, failed: number): Tally => ({
  files: new Map([['a.test.ts', { passed, failed, skipped: 0, failures: [] }]]),
  broken: [],
  skipped: 0,
});

test('the numbers of the test runners Vitest and Playwright are combined, and a test that passed on retry counts as failed', () => {
  const tallies = [tallyOfVitest(vitestReport), tallyOfPlaywright(playwrightReport), { ...emptyTally(), skipped: 1 }];
  expect(sumsOf(tallies)).toEqual({ passed: 2, failed: 5, skipped: 4 });
});

test('the summary of npm test repeats each failure: its file, its test, and the first lines of its message', () => {
  const [firstFailure = '', ...otherFailures] = [tallyOfVitest(vitestReport), tallyOfPlaywright(playwrightReport)].flatMap(failuresOf);
  expect(firstFailure.split('\n')).toEqual(['server/a.test.ts › two', ...Array.from({ length: 12 }, (_, line) => `    line ${line}`)]);
  expect(otherFailures).toEqual([
    'server/b.test.ts › the file itself\n    no such module',
    'e2e/c.e2e.ts › on retry\n    too late',
    'e2e/c.e2e.ts › four\n    not visible',
    'playwright › outside the tests\n    a worker was lost',
  ]);
});

test('a test runner that ran no test counts as failed, and is named', () => {
  for (const tallyWithoutTests of [null, emptyTally()]) {
    const checked = checkedTally('x', 0, tallyWithoutTests);
    expect([sumsOf([checked]).failed, failuresOf(checked)]).toEqual([1, ['x ran no test at all.']]);
  }
});

test('a test runner that crashed outside its tests counts as failed; otherwise its numbers count', () => {
  const crashed = checkedTally('x', 1, tally(3, 0));
  expect([sumsOf([crashed]).failed, failuresOf(crashed)]).toEqual([1, [expect.stringMatching(/^x ended with 1 although/)]]);
  expect(sumsOf([checkedTally('x', 1, tally(3, 2))]).failed).toBe(2);
  expect(checkedTally('x', 0, tally(3, 0))).toEqual(tally(3, 0));
});

test('a test runner that was killed is named with the signal', () => {
  expect(failuresOf(checkedTally('x', 'SIGKILL', tally(3, 0)))).toEqual([expect.stringMatching(/^x ended with SIGKILL although/)]);
});

test('an error outside the tests counts for its file if that is known, so that the file can run again', () => {
  const checked = checkedTally('x', 1, tally(3, 0), [
    { file: join(root, 'b.test.ts'), message: 'a lost socket' },
    { message: 'a teardown' },
  ]);
  expect(checked.files.get('b.test.ts')).toMatchObject({ failed: 1, failures: [{ title: 'outside the tests', message: 'a lost socket' }] });
  expect(checked.broken).toEqual(['x › outside the tests\n    a teardown']);
});
