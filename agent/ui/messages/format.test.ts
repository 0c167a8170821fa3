import { expect, test } from 'vitest';
import { clockAndDay } from './format.ts';

const evening = new Date(2026, 10, 20, 23, 0);
const night = new Date(2026, 10, 21, 1, 0);

test.each([
  ['read in the evening', evening, '4:46 AM tomorrow'],
  ['read after midnight', night, '4:46 AM'],
  ['read two days before', new Date(2026, 10, 19, 23, 0), '4:46 AM on Saturday, November 21'],
  ['read on the next day', new Date(2026, 10, 22, 0, 5), '4:46 AM yesterday'],
])('4:46 AM on Saturday, %s, says its day unless that is today', (_when, now, words) => {
  expect(clockAndDay(new Date(2026, 10, 21, 4, 46), now)).toBe(words);
});
