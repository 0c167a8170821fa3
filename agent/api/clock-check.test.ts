import { day, hour } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { clockCheck } from './clock-check.ts';

test.each([
  [11 * hour, null],
  [day, 'The clock of this computer is wrong by about a day. Set its date and time.'],
  [-2 * day, 'The clock of this computer is wrong by about 2 days. Set its date and time.'],
])('a clock that is %i ms ahead of the server: %s', (ahead, problem) => {
  const served = new Date('2026-11-21T14:00:00Z');
  const check = clockCheck(() => ({ wall: served.getTime() + ahead, up: 1000, boot: 'first' }));
  check.noteServerTime(served);
  expect(check.problem()).toBe(problem);
});
