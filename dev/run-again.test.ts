import { expect, onTestFinished, test, vi } from 'vitest';
import { runFailedAgain } from './run-again.ts';
import { type FileResult, sumsOf, type Tally } from './tally.ts';

const passing: FileResult = { passed: 2, failed: 0, skipped: 0, failures: [] };
const failing: FileResult = { passed: 1, failed: 1, skipped: 0, failures: [{ title: 'two', message: 'expected 1 to be 2' }] };
const tallyOf = (files: Record<string, FileResult>, broken: string[] = []): Tally => ({
  files: new Map(Object.entries(files)),
  broken,
  skipped: 0,
});

/** A part whose first result is `first`; run again it gives `second`, and records what it was asked to run. */
function ranOnce(first: Tally, second: Tally) {
  vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const askedFor: (string[] | null)[] = [];
  const run = async (files: string[] | null) => {
    askedFor.push(files);
    return second;
  };
  return { results: [{ part: { title: 'the part', run }, tally: first }], askedFor };
}

test('a failed file that passes when it runs again, alone, counts as passed, and its first failure is returned', async () => {
  const { results, askedFor } = ranOnce(tallyOf({ 'a.test.ts': failing, 'b.test.ts': passing }), tallyOf({ 'a.test.ts': passing }));
  expect(await runFailedAgain(results)).toEqual([{ file: 'a.test.ts', text: 'a.test.ts › two\n    expected 1 to be 2' }]);
  expect(askedFor).toEqual([['a.test.ts']]);
  expect(sumsOf(results.map(({ tally }) => tally))).toEqual({ passed: 4, failed: 0, skipped: 0 });
});

test.each([
  ['fails again', tallyOf({ 'a.test.ts': failing })],
  ['is not found again', tallyOf({})],
  ['runs no test when it runs again', tallyOf({ 'a.test.ts': { ...passing, passed: 0, skipped: 2 } })],
  ['passes while its test runner breaks', tallyOf({ 'a.test.ts': passing }, ['vitest ended with 1'])],
])('a failed file that %s stays failed', async (_, second) => {
  const { results } = ranOnce(tallyOf({ 'a.test.ts': failing }), second);
  expect(await runFailedAgain(results)).toEqual([]);
  expect(sumsOf(results.map(({ tally }) => tally)).failed).toBe(1);
});

test('a failure of no file stays, because nothing can run again', async () => {
  const { results, askedFor } = ranOnce(tallyOf({ 'a.test.ts': passing }, ['vitest ended with 1']), tallyOf({}));
  expect(await runFailedAgain(results)).toEqual([]);
  expect(askedFor).toEqual([]);
  expect(sumsOf(results.map(({ tally }) => tally)).failed).toBe(1);
});

test('when more than a dozen files failed, none runs again', async () => {
  const files = Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`${n}.test.ts`, failing]));
  const { results, askedFor } = ranOnce(tallyOf(files), tallyOf({}));
  expect(await runFailedAgain(results)).toEqual([]);
  expect(askedFor).toEqual([]);
});
