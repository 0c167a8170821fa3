import { expect, test } from 'vitest';
import { dayAndTime, momentInShort, momentInWords, timeInWords } from './formatting.ts';

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

test('[P5.3] an SMS names the day only when it is not today, and uses only characters that an SMS can contain', () => {
  const later = new Date('2026-11-22T14:05:00Z');
  expect(momentInShort(moment, moment, 'America/New_York')).toMatch(/^9:05 ?am$/i);
  expect(momentInShort(moment, later, 'America/New_York')).toMatch(/^9:05 ?am on Nov 21$/i);
  expect(timeInWords(moment, 'America/New_York')).toMatch(/^[\w: ]+$/);
});
