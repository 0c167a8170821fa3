import { expect, test } from 'vitest';
import { dayAndTime, momentInShort, momentInWords, timeInWords, timeWithDay } from './formatting.ts';

const moment = new Date('2026-11-21T14:05:00Z');

test.each([
  ['America/New_York', '9:05 AM'],
  ['Asia/Tokyo', '11:05 PM'],
  ['UTC', '2:05 PM UTC'],
  ['Mars/Olympus_Mons', '2:05 PM UTC'],
])('[P5.3] a time is written in American style, in the time zone of the computer: %s', (zone, clock) => {
  expect(timeInWords(moment, zone)).toBe(clock);
  expect(momentInWords(moment, zone)).toMatch(new RegExp(`^${clock}( on)? Saturday, November 21$`));
  expect(dayAndTime(moment, zone)).toMatch(new RegExp(`^Saturday, November 21,? at ${clock}$`));
});

test.each([
  ['2026-11-21T04:00:00Z', '4:46 AM on Saturday, November 21'],
  ['2026-11-21T06:00:00Z', '4:46 AM'],
])('[P5.3] an end at 4:46 AM that is written about at %s names its day unless that is the same one at the computer', (now, words) => {
  expect(timeWithDay(new Date('2026-11-21T09:46:00Z'), new Date(now), 'America/New_York')).toBe(words);
});

test('[P5.3] an SMS names the day only when it is not today, and uses only characters that an SMS can contain', () => {
  const later = new Date('2026-11-22T14:05:00Z');
  expect(momentInShort(moment, moment, 'America/New_York')).toMatch(/^9:05 ?am$/i);
  expect(momentInShort(moment, later, 'America/New_York')).toMatch(/^9:05 ?am on Nov 21$/i);
  expect(timeInWords(moment, 'America/New_York')).toMatch(/^[\w: ]+$/);
});
