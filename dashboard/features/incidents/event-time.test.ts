import { expect, test } from 'vitest';
import { eventTime } from './event-time.ts';

const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 5).toISOString();

test('the time line has a date only on days after the incident opened', () => {
  expect(eventTime(at(21, 23), at(21, 14))).toBe('11:05 PM');
  expect(eventTime(at(22, 1), at(21, 23))).toBe('Nov 22, 1:05 AM');
});
