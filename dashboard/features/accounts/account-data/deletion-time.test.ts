import { expect, test } from 'vitest';
import { deletionMessages } from './deletion-messages.ts';
import { deletionDay, deletionMoment } from './deletion-time.ts';

const now = new Date(2026, 10, 26, 14, 5);
const inDays = (days: number, minutes = 0) => new Date(2026, 10, 26 + days, 14, 5 + minutes);

test.each([
  ['seven days ahead', inDays(7), 'on Thursday, December 3', 'Thursday, December 3, at 2:05 PM'],
  ['two days ahead', inDays(2), 'on Saturday, November 28', 'Saturday, November 28, at 2:05 PM'],
  ['next year', new Date(2027, 0, 2, 9, 30), 'on Saturday, January 2, 2027', 'Saturday, January 2, 2027, at 9:30 AM'],
  ['tomorrow', inDays(1), 'tomorrow at 2:05 PM', 'tomorrow at 2:05 PM'],
  ['today', inDays(0, 20), 'today at 2:25 PM', 'today at 2:25 PM'],
])('the time of a deletion %s has a day, and a last moment with its hour', (_title, deletes, day, moment) => {
  expect(deletionDay(deletes, now)).toBe(day);
  expect(deletionMoment(deletes, now)).toBe(moment);
});

test('a deletion that is due has no day any more, and one a minute ahead still has', () => {
  expect(deletionDay(now, now)).toBeNull();
  expect(deletionDay(inDays(-1), now)).toBeNull();
  expect(deletionDay(inDays(0, 1), now)).toBe('today at 2:06 PM');
  expect(deletionMessages.heading(null)).toBe('This account will be deleted soon');
  expect(deletionMessages.heading(deletionDay(inDays(7), now))).toBe('This account will be deleted on Thursday, December 3');
});
