import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './root.ts';
import { describeFailure, emptyTally, readTally, summaryOf, sumOf, type Tally } from './tally.ts';

function written(tally: Tally | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'tally-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'tally.json');
  if (tally) writeFileSync(file, JSON.stringify(tally));
  return file;
}
const passing: Tally = { ...emptyTally(), passed: 3 };
const failing: Tally = { ...passing, failures: ['a.test.ts › two', 'a.test.ts › three'] };

test('the numbers of all test runs are added up in one line', () => {
  expect(summaryOf(sumOf([passing, failing, { ...emptyTally(), skipped: 1 }]))).toBe('6 passed, 2 failed, 1 skipped');
});

test('the summary of npm test repeats of each failure its file, its test, and the first lines of its message without colours', () => {
  const message = Array.from({ length: 40 }, (_, line) => `\u001b[31mline ${line}\u001b[39m`).join('\n');
  expect(describeFailure(join(root, 'server/a.test.ts'), 'two', message).split('\n')).toEqual([
    'server/a.test.ts › two',
    ...Array.from({ length: 12 }, (_, line) => `    line ${line}`),
  ]);
});

test.each([
  ['wrote nothing', null],
  ['found no test', emptyTally()],
])('a test runner that %s counts as failed, and is named', (_, tally) => {
  expect(readTally('x', 0, written(tally)).failures).toEqual(['x ran no test at all.']);
});

test('a test runner that crashed outside its tests counts as failed; otherwise its numbers count', () => {
  expect(readTally('x', 1, written(passing)).failures).toEqual([expect.stringMatching(/^x ended with 1 although/)]);
  expect(readTally('x', 1, written(failing))).toEqual(failing);
  expect(readTally('x', 0, written(passing))).toEqual(passing);
});

test('a test runner that was killed is named with the signal', () => {
  expect(readTally('x', 'SIGKILL', written(passing)).failures).toEqual([expect.stringMatching(/^x ended with SIGKILL although/)]);
});
