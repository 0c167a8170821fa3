import { expect, test } from 'vitest';
import { add, checked, none, tallyOfPlaywright, tallyOfVitest } from './runners.ts';

test('the numbers of both runners become one line', () => {
  const unit = tallyOfVitest({ success: false, numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 });
  const browser = tallyOfPlaywright({ stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 1 }, errors: [] });
  expect(add(unit, browser)).toEqual({ passed: 9, failed: 3, skipped: 4 });
});

test('a runner that looked at nothing has failed', () => {
  expect(checked('x', 0, null)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(checked('x', 0, none)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('a runner that broke outside its tests has failed, and one that did not is believed', () => {
  expect(checked('x', 1, { passed: 3, failed: 0, skipped: 0 }).failed).toBe(1);
  expect(checked('x', 1, { passed: 3, failed: 2, skipped: 0 }).failed).toBe(2);
  expect(checked('x', 0, { passed: 3, failed: 0, skipped: 0 })).toEqual({ passed: 3, failed: 0, skipped: 0 });
});
