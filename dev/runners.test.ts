import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { root } from './root.ts';
import { add, checkedTally, emptyTally, runVitest, type Tally, tallyOfPlaywright, tallyOfVitest } from './runners.ts';

const counts = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 1 };
const tally = (passed: number, failed: number): Tally => ({ passed, failed, skipped: 0, failures: [] });

test('the numbers of the test runners Vitest and Playwright are combined into one line', () => {
  const unit = tallyOfVitest({ ...counts, testResults: [] });
  const browser = tallyOfPlaywright({ stats, errors: [], suites: [] });
  expect(add(unit, browser)).toEqual({ passed: 9, failed: 3, skipped: 4, failures: [] });
});

test('the summary of npm test repeats each failure: its file, its test, and the first lines of its message', () => {
  const longMessage = Array.from({ length: 40 }, (_, line) => `\u001b[31mline ${line}\u001b[39m`).join('\n');
  const unit = tallyOfVitest({
    ...counts,
    testResults: [
      {
        name: join(root, 'server/a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'one' },
          { status: 'failed', fullName: 'two', failureMessages: [longMessage] },
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
  const [firstFailure = '', ...otherFailures] = add(unit, browser).failures;
  expect(firstFailure.split('\n')).toEqual(['server/a.test.ts › two', ...Array.from({ length: 12 }, (_, line) => `    line ${line}`)]);
  expect(otherFailures).toEqual([
    'server/b.test.ts › the file itself\n    no such module',
    'e2e/c.e2e.ts › four\n    not visible',
    'playwright › outside the tests\n    a worker was lost',
  ]);
});

test('a test runner that ran no test counts as failed, and is named', () => {
  for (const tallyWithoutTests of [null, emptyTally])
    expect(checkedTally('x', 0, tallyWithoutTests)).toEqual({ ...tally(0, 1), failures: ['x ran no test at all.'] });
});

test('a test runner that crashed outside its tests counts as failed; otherwise its numbers count', () => {
  expect(checkedTally('x', 1, tally(3, 0))).toMatchObject({ failed: 1, failures: [expect.stringMatching(/^x ended with 1 although/)] });
  expect(checkedTally('x', 1, tally(3, 2)).failed).toBe(2);
  expect(checkedTally('x', 0, tally(3, 0))).toEqual(tally(3, 0));
});

test('a test runner that was killed is named with the signal', () => {
  expect(checkedTally('x', 'SIGKILL', tally(3, 0)).failures).toEqual([expect.stringMatching(/^x ended with SIGKILL although/)]);
});

const onePasses = "test('one', () => {});";
const brokenFiles = {
  'socket.test.js': `
    import { EventEmitter } from 'node:events';
    test('a visitor goes away', async () => {
      setImmediate(() => new EventEmitter().emit('error', new Error('read ECONNRESET')));
      await new Promise((done) => setImmediate(() => setImmediate(done)));
    });`,
  'promise.test.js': `${onePasses} void Promise.reject(new Error('nobody waits for this'));`,
  'hook.test.js': `${onePasses} describe('a suite', () => { beforeAll(() => { throw new Error('no such port'); }); ${onePasses} });`,
  'setup.js': "export default () => () => { throw new Error('the folder is not empty'); };",
  'vitest.config.mjs': "export default { test: { globals: true, globalSetup: './setup.js' } };",
};

test('errors outside the tests are repeated in the summary: of a socket, a promise, a hook of a suite and a global teardown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-runners-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(brokenFiles)) writeFileSync(join(folder, name), text);
  // What it prints is dropped: a reader of the log would take it for a failure.
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const result = await runVitest(join(folder, 'report.json'), ['--root', folder], {}, true);
  printed.mockRestore();

  expect(result).toMatchObject({ passed: 3, failed: 1, skipped: 1 });
  const nameOf = (file: string) => relative(root, join(folder, file));
  const sentence = 'vitest ended with 1 although no test failed: something broke outside the tests.';
  const unhandled = result.failures.slice(result.failures.indexOf(sentence) + 1);
  expect(unhandled.map((failure) => failure.split('\n').slice(0, 2)).toSorted()).toEqual(
    [
      [`${nameOf('hook.test.js')} › a suite`, '    Error: no such port'],
      [`${nameOf('promise.test.js')} › outside the tests`, '    Unhandled Rejection: Error: nobody waits for this'],
      [`${nameOf('socket.test.js')} › a visitor goes away`, '    Uncaught Exception: Error: read ECONNRESET'],
      ['vitest › outside the tests', '    error during close: Error: the folder is not empty'],
    ].toSorted(),
  );
  for (const failure of unhandled) expect(failure.split('\n').length).toBeLessThanOrEqual(13);
});
