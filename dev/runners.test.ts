import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';
import { add, checked, none, type Tally, tallyOfPlaywright, tallyOfVitest } from './runners.ts';

const counts = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 1 };
const tally = (passed: number, failed: number): Tally => ({ passed, failed, skipped: 0, failures: [] });

test('the numbers of both runners become one line', () => {
  const unit = tallyOfVitest({ ...counts, testResults: [] });
  const browser = tallyOfPlaywright({ stats, errors: [], suites: [] });
  expect(add(unit, browser)).toEqual({ passed: 9, failed: 3, skipped: 4, failures: [] });
});

test('each failure is repeated at the end: its file, its test, and the first lines of its message', () => {
  const long = Array.from({ length: 40 }, (_, line) => `\u001b[31mline ${line}\u001b[39m`).join('\n');
  const unit = tallyOfVitest({
    ...counts,
    testResults: [
      {
        name: join(root, 'server/a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'one' },
          { status: 'failed', fullName: 'two', failureMessages: [long] },
        ],
      },
      { name: join(root, 'server/b.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
    ],
  });
  const browser = tallyOfPlaywright({
    stats,
    errors: [{ message: 'a worker was lost' }],
    suites: [
      {
        file: 'c.e2e.ts',
        specs: [{ title: 'three', tests: [{ results: [{}] }] }],
        suites: [{ file: 'c.e2e.ts', specs: [{ title: 'four', tests: [{ results: [{ error: { message: 'not visible' } }] }] }] }],
      },
    ],
  });
  const [first = '', ...rest] = add(unit, browser).failures;
  expect(first.split('\n')).toEqual(['server/a.test.ts › two', ...Array.from({ length: 12 }, (_, line) => `    line ${line}`)]);
  expect(rest).toEqual([
    'server/b.test.ts › the file itself\n    no such module',
    'e2e/c.e2e.ts › four\n    not visible',
    'playwright › outside the tests\n    a worker was lost',
  ]);
});

test('a runner that ran no test has failed, and is named', () => {
  for (const nothing of [null, none]) expect(checked('x', 0, nothing)).toEqual({ ...tally(0, 1), failures: ['x ran no test at all.'] });
});

test('a runner that broke outside its tests has failed; the numbers of any other count', () => {
  expect(checked('x', 1, tally(3, 0))).toMatchObject({ failed: 1, failures: [expect.stringMatching(/^x ended with 1 although/)] });
  expect(checked('x', 1, tally(3, 2)).failed).toBe(2);
  expect(checked('x', 0, tally(3, 0))).toEqual(tally(3, 0));
});
